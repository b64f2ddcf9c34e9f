/** The commands of the replicated log, their bytes, and the log entry that carries them. */
@NullMarked
package org.cepheus.domain.command;

import org.jspecify.annotations.NullMarked;

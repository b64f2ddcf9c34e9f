/** The bytes of commands and log entries, old and new. */
@NullMarked
package org.cepheus.domain.command;

import org.jspecify.annotations.NullMarked;

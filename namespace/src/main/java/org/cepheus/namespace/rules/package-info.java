/** What each command does: reads a draft, changes it, and says what came of it, or refuses. */
@NullMarked
package org.cepheus.namespace.rules;

import org.jspecify.annotations.NullMarked;

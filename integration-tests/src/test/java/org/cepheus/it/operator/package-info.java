/** What operators do over REST, at running servers. */
@NullMarked
package org.cepheus.it.operator;

import org.jspecify.annotations.NullMarked;

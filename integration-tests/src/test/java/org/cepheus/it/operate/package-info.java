/** What an operator sees of a running server: metrics, rules, logs. */
@NullMarked
package org.cepheus.it.operate;

import org.jspecify.annotations.NullMarked;

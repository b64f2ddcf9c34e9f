/** What every store must do. */
@NullMarked
package org.cepheus.namespace.store;

import org.jspecify.annotations.NullMarked;

/** The store port: ordered bytes by family, written atomically, one batch for each log entry. */
@NullMarked
package org.cepheus.namespace.store;

import org.jspecify.annotations.NullMarked;

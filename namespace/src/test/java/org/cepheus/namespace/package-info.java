/** The namespace as its callers see it. */
@NullMarked
package org.cepheus.namespace;

import org.jspecify.annotations.NullMarked;

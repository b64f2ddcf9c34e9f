/** Several processes as one cluster. */
@NullMarked
package org.cepheus.it.cluster;

import org.jspecify.annotations.NullMarked;

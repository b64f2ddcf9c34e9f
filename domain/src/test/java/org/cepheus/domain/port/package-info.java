/** Tests of the ports. */
@NullMarked
package org.cepheus.domain.port;

import org.jspecify.annotations.NullMarked;

/** Where servers under test may listen. */
@NullMarked
package org.cepheus.domain.loopback;

import org.jspecify.annotations.NullMarked;

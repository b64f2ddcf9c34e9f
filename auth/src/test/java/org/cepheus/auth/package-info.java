/** Tests of the room. */
@NullMarked
package org.cepheus.auth;

import org.jspecify.annotations.NullMarked;

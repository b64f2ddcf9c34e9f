/** The bytes of every format of ours: varints, tagged fields, and the codecs built from them. */
@NullMarked
package org.cepheus.domain.codec;

import org.jspecify.annotations.NullMarked;

/** Decides whether an identity may use so many more bytes and files under a quota node. */
@NullMarked
package org.cepheus.quota;

import org.jspecify.annotations.NullMarked;

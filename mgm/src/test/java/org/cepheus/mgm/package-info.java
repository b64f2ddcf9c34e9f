/** Tests of a whole MGM. */
@NullMarked
package org.cepheus.mgm;

import org.jspecify.annotations.NullMarked;

/** Tests of the store on disk. */
@NullMarked
package org.cepheus.mgm.store;

import org.jspecify.annotations.NullMarked;

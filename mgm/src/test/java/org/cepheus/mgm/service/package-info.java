/** Tests of what an MGM does. */
@NullMarked
package org.cepheus.mgm.service;

import org.jspecify.annotations.NullMarked;

/** The simulation of the namespace over the files that a member has on disk. */
@NullMarked
package org.cepheus.mgm.sim;

import org.jspecify.annotations.NullMarked;

/** Tests of the raft on disk. */
@NullMarked
package org.cepheus.mgm.raft;

import org.jspecify.annotations.NullMarked;

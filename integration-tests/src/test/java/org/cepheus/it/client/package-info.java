/** Real clients against one running Cepheus. */
@NullMarked
package org.cepheus.it.client;

import org.jspecify.annotations.NullMarked;

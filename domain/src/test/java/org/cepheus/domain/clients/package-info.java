/** What tests need of the machine they run on. */
@NullMarked
package org.cepheus.domain.clients;

import org.jspecify.annotations.NullMarked;

/** The ports: what protocols ask of the namespace and of data, and where events are told. */
@NullMarked
package org.cepheus.domain.port;

import org.jspecify.annotations.NullMarked;

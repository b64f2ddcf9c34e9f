/**
 * What the integration tests stand on: processes with deadlines, real clients, a running Cepheus.
 */
@NullMarked
package org.cepheus.it.harness;

import org.jspecify.annotations.NullMarked;

/**
 * The words of the system: paths, inodes, identities, errors, commands, tickets, and the ports
 * {@code NamespaceService} and {@code DataService}.
 */
@NullMarked
package org.cepheus.domain;

import org.jspecify.annotations.NullMarked;

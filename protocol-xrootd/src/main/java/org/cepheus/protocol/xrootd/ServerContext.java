package org.cepheus.protocol.xrootd;

import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Metrics;

/** What all connections of one server share. */
record ServerContext(XrootdServerConfig config, Metrics metrics, Audit audit, Sessions sessions) {}

package org.cepheus.domain;

/** Where a content lies: a volume, and the number that names the data file there. */
public record Location(int volumeId, long dataId) {}

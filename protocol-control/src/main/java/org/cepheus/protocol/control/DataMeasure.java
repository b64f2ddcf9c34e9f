package org.cepheus.protocol.control;

import java.time.Instant;

/** What the storage says of a content: its size, and when it was written last. */
public record DataMeasure(long sizeBytes, Instant modified) {}

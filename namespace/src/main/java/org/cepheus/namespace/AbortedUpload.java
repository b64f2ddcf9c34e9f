package org.cepheus.namespace;

import org.cepheus.domain.Caller;
import org.cepheus.domain.LeaseRef;

/**
 * An upload that ended without a commit.
 *
 * @param opener whose it was
 * @param reason what the command that ended it says
 */
public record AbortedUpload(LeaseRef lease, Caller opener, String reason) {}

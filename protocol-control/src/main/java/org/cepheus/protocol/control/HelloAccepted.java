package org.cepheus.protocol.control;

import java.util.UUID;
import org.cepheus.domain.MgmAddress;

/**
 * The leader has registered the FST.
 *
 * @param restoreEpoch how often the namespace was restored from a backup; part of data paths
 * @param leader where clients reach the MGM that answered
 */
public record HelloAccepted(UUID cluster, int restoreEpoch, MgmAddress leader) {}

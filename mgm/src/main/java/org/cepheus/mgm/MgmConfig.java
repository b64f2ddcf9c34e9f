package org.cepheus.mgm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.port.FleetService;
import org.cepheus.mgm.raft.RaftSettings;
import org.cepheus.mgm.raft.RaftSettings.Peer;

/**
 * The whole configuration of an MGM.
 *
 * @param member which of the peers this is
 * @param peers all members, this one too; the addresses are what clients and FSTs are told
 * @param listenHost where its own ports listen
 * @param data everything it keeps; made if missing
 * @param secretFile the cluster secret, mode 0600; made if missing when it is alone
 * @param adminTokenFile the operators' token, mode 0600; made if missing
 * @param cluster the same for all members; the data directory must be of it
 * @param siteName what XRootD clients are told; may be empty
 * @param leastFreeBytes with less on its disk it takes no changes
 * @param keptEntries log entries kept for members that are away; who was away for longer fetches
 *     the whole state
 */
public record MgmConfig(
        String member,
        List<Peer> peers,
        String listenHost,
        Path data,
        Path secretFile,
        Path adminTokenFile,
        UUID cluster,
        String siteName,
        long leastFreeBytes,
        long keptEntries) {
    /** What a site should keep free. */
    public static final long LEAST_FREE_BYTES = 2L << 30;

    private static final int MAX_PEERS = 9;

    public MgmConfig {
        peers = List.copyOf(peers);
    }

    /** One MGM without others, as {@code up} runs it. */
    public static MgmConfig alone(
            UUID cluster,
            MgmAddress address,
            int raftPort,
            Path data,
            Path secretFile,
            Path adminTokenFile) {
        return new MgmConfig(
                "mgm1",
                List.of(new Peer("mgm1", address.host(), raftPort, address)),
                address.host(),
                data,
                secretFile,
                adminTokenFile,
                cluster,
                "",
                LEAST_FREE_BYTES,
                RaftSettings.KEPT_ENTRIES);
    }

    public boolean isAlone() {
        return peers.size() == 1;
    }

    /** This member's own row; only without {@link #problems}. */
    public Peer self() {
        return peers.stream().filter(peer -> peer.id().equals(member)).findFirst().orElseThrow();
    }

    /** What operators may see of it, by the keys of its file. Where secrets are, but no secret. */
    public List<FleetService.Setting> settings() {
        var settings = new ArrayList<FleetService.Setting>();
        settings.add(new FleetService.Setting("member", member));
        settings.add(new FleetService.Setting("cluster", cluster.toString()));
        settings.add(new FleetService.Setting("data", data.toString()));
        settings.add(new FleetService.Setting("secret_file", secretFile.toString()));
        settings.add(new FleetService.Setting("admin_token_file", adminTokenFile.toString()));
        settings.add(new FleetService.Setting("kept_entries", Long.toString(keptEntries)));
        settings.add(new FleetService.Setting("least_free_bytes", Long.toString(leastFreeBytes)));
        settings.add(new FleetService.Setting("listen_host", listenHost));
        for (Peer peer : peers) {
            String prefix = "members." + peer.id() + ".";
            MgmAddress at = peer.address();
            settings.add(new FleetService.Setting(prefix + "host", at.host()));
            settings.add(port(prefix + "xrootd", at.xrootdPort()));
            settings.add(port(prefix + "http", at.httpPort()));
            settings.add(port(prefix + "admin", at.adminPort()));
            settings.add(port(prefix + "raft", peer.raftPort()));
            settings.add(port(prefix + "control", at.controlPort()));
        }
        return settings;
    }

    private static FleetService.Setting port(String key, int port) {
        return new FleetService.Setting(key, Integer.toString(port));
    }

    /** Everything that is wrong with it, one sentence each. */
    public List<String> problems() {
        var problems = new ArrayList<String>();
        var ids = new HashSet<String>();
        for (Peer peer : peers) {
            if (!ids.add(peer.id())) {
                problems.add("peer %s is named twice".formatted(peer.id()));
            }
            if (!peer.id().matches("[A-Za-z0-9_-]{1,64}")) {
                problems.add(
                        "peer id '%s' must be 1 to 64 letters, digits, - or _"
                                .formatted(peer.id()));
            }
            checkPorts(peer, problems);
        }
        if (!ids.contains(member)) {
            problems.add("member %s is not among the peers %s".formatted(member, ids));
        }
        if (peers.size() > MAX_PEERS) {
            problems.add("%d peers, the limit is %d".formatted(peers.size(), MAX_PEERS));
        }
        if (peers.size() > 1 && !Files.exists(secretFile)) {
            problems.add(
                    "the secret file %s does not exist: copy it to each member"
                            .formatted(secretFile));
        }
        return problems;
    }

    private static void checkPorts(Peer peer, List<String> problems) {
        MgmAddress at = peer.address();
        int[] ports = {
            peer.raftPort(), at.xrootdPort(), at.httpPort(), at.adminPort(), at.controlPort()
        };
        var seen = new HashSet<Integer>();
        for (int port : ports) {
            if (port < 1 || port > 65_535) {
                problems.add("peer %s: port %d is not in 1..65535".formatted(peer.id(), port));
            } else if (!seen.add(port)) {
                problems.add("peer %s: port %d is used twice".formatted(peer.id(), port));
            }
        }
    }
}

package org.cepheus.mgm.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cepheus.domain.Caller;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.port.FleetService;
import org.cepheus.domain.port.OperatorService.FstStatus;
import org.cepheus.domain.port.OperatorService.MemberStatus;
import org.cepheus.domain.port.OperatorService.VolumeStatus;
import org.cepheus.mgm.raft.RaftMember;
import org.cepheus.mgm.raft.RaftSettings.Peer;
import org.cepheus.namespace.rows.Rows.FleetStates;
import org.cepheus.namespace.rows.Rows.Fst;
import org.cepheus.quota.QuotaRow;

/**
 * Machines and volumes as the leader knows them: who ever registered is in the log, how they are is
 * in the registry.
 */
public final class FleetDesk implements FleetService {
    /** The only space until volumes can be grouped. */
    static final String SPACE = "default";

    private final List<Peer> peers;
    private final List<Setting> settings;
    private final RaftMember raft;
    private final NamespaceState state;
    private final FstRegistry registry;
    private final OperatorReads reads;

    /**
     * Wires the desk.
     *
     * @param settings of this member, without secrets
     * @param scans platform threads for reads of many rows
     */
    public FleetDesk(
            List<Peer> peers,
            List<Setting> settings,
            RaftMember raft,
            NamespaceState state,
            FstRegistry registry,
            Executor scans) {
        this.peers = List.copyOf(peers);
        this.settings = List.copyOf(settings);
        this.raft = raft;
        this.state = state;
        this.registry = registry;
        this.reads = new OperatorReads(raft.gate(), scans);
    }

    @Override
    public List<Setting> settings() {
        return settings;
    }

    @Override
    public CompletionStage<List<Node>> nodes(Caller caller) {
        return reads.read(caller, this::nodes);
    }

    private List<Node> nodes() {
        var nodes = new ArrayList<Node>();
        Map<String, MemberStatus> members =
                raft.members().stream()
                        .collect(Collectors.toMap(MemberStatus::id, Function.identity()));
        for (Peer peer : peers) {
            Optional.ofNullable(members.get(peer.id()))
                    .ifPresent(member -> nodes.add(mgm(peer, member)));
        }
        Map<Integer, FstStatus> connected =
                registry.fsts().stream()
                        .collect(
                                Collectors.toMap(
                                        fst -> fst.address().fstId(), Function.identity()));
        FleetStates states = state.queries().states();
        for (Fst fst : state.queries().fsts()) {
            Optional<FstStatus> status = Optional.ofNullable(connected.get(fst.address().fstId()));
            nodes.add(fst(fst, status, states));
        }
        return nodes;
    }

    private static Node mgm(Peer peer, MemberStatus member) {
        return new Node.Mgm(
                peer.id(),
                peer.address(),
                member.role(),
                member.lagEntries(),
                member.silentMillis());
    }

    private static Node fst(Fst fst, Optional<FstStatus> status, FleetStates states) {
        return new Node.Fst(
                fst.address(),
                states.of(ServiceTarget.fst(fst.address().fstId())),
                status.map(FstStatus::alive).orElse(false),
                status.map(FstStatus::lastSeen),
                status.map(FstStatus::streams).orElse(0),
                fst.volumes().stream().map(FleetCommand.Volume::volumeId).sorted().toList());
    }

    @Override
    public CompletionStage<List<FileSystem>> fileSystems(Caller caller) {
        return reads.read(caller, this::fileSystems);
    }

    private List<FileSystem> fileSystems() {
        var uuids = new TreeMap<Integer, String>();
        state.queries()
                .fsts()
                .forEach(fst ->
                        fst.volumes()
                                .forEach(volume -> uuids.put(volume.volumeId(), volume.uuid())));
        Map<Integer, VolumeStatus> known =
                registry.volumes().stream()
                        .collect(Collectors.toMap(VolumeStatus::volumeId, Function.identity()));
        Map<Integer, Integer> uploads = state.queries().uploadsByVolume();
        FleetStates states = state.queries().states();
        var all = new ArrayList<FileSystem>();
        uuids.forEach((id, uuid) -> {
            Optional<VolumeStatus> now = Optional.ofNullable(known.get(id));
            all.add(
                    new FileSystem(
                            id,
                            uuid,
                            states.of(ServiceTarget.volume(id)),
                            now.map(VolumeStatus::usable).orElse(false),
                            now.map(VolumeStatus::totalBytes).orElse(0L),
                            now.map(VolumeStatus::freeBytes).orElse(0L),
                            registry.serving(id),
                            uploads.getOrDefault(id, 0)));
        });
        return all;
    }

    @Override
    public CompletionStage<List<Space>> spaces(Caller caller) {
        return reads.read(caller, () -> List.of(space()));
    }

    private Space space() {
        List<FileSystem> volumes = fileSystems();
        QuotaRow total = state.queries().total();
        long[] totalAndFree = registry.capacity();
        long writable =
                volumes.stream()
                        .filter(each -> each.usable() && each.state() == ServiceState.RW)
                        .count();
        return new Space(
                SPACE,
                totalAndFree[0],
                totalAndFree[1],
                total.usedBytes(),
                total.usedFiles(),
                (int) writable,
                volumes.stream().map(FileSystem::id).toList());
    }
}

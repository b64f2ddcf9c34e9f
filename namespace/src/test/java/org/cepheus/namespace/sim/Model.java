package org.cepheus.namespace.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LeaseCommand.Intent;

/**
 * A plain tree with uploads and limits: what a user believes the namespace to be. It knows nothing
 * of rows, counters or drafts; use is counted by walking.
 */
final class Model {
    static final int ROOT = 0;

    /** Beyond this the namespace does not count. */
    static final long MOST_BYTES = 1L << 61;

    private static final LimitKey EVERYTHING = new LimitKey(ROOT, QuotaKind.PROJECT, "");

    /** A name in a directory. */
    record Name(int dir, String name) {}

    /** A directory or a file; the tag stays with it for life. */
    sealed interface Node {
        int tag();

        String owner();

        String group();

        int mode();
    }

    record Dir(int tag, String owner, String group, int mode) implements Node {}

    record File(
            int tag,
            String owner,
            String group,
            int mode,
            long sizeBytes,
            long version,
            long content,
            long updating,
            boolean unsettled)
            implements Node {
        File withAccess(String newOwner, String newGroup, int newMode) {
            return new File(
                    tag, newOwner, newGroup, newMode, sizeBytes, version, content, updating,
                    unsettled);
        }

        File withContent(long newVersion, long newSizeBytes) {
            return new File(
                    tag, owner, group, mode, newSizeBytes, newVersion, newVersion, 0, false);
        }

        /** The same content, written to in place. */
        File withSize(long newVersion, long newSizeBytes) {
            return new File(tag, owner, group, mode, newSizeBytes, newVersion, content, 0, false);
        }

        File withWriter(long lease, boolean isUnsettled) {
            return new File(
                    tag, owner, group, mode, sizeBytes, version, content, lease, isUnsettled);
        }
    }

    /** A running upload. */
    record Upload(
            LeaseRef ref,
            Name at,
            Intent intent,
            String owner,
            String group,
            int mode,
            OptionalLong declared,
            long bytes,
            long files,
            int fst,
            long boot,
            boolean opened,
            long granted) {
        Upload withBytes(long newBytes) {
            return new Upload(
                    ref, at, intent, owner, group, mode, declared, newBytes, files, fst, boot,
                    opened, granted);
        }

        Upload asOpened() {
            return new Upload(
                    ref, at, intent, owner, group, mode, declared, bytes, files, fst, boot, true,
                    granted);
        }
    }

    /** Whose use a limit bounds. */
    record LimitKey(int node, QuotaKind kind, String principal) {}

    /** -1 for none, -2 for the node's default; the principal of the default is empty. */
    record Limits(long bytes, long files) {
        static final Limits NONE = new Limits(-2, -2);

        boolean isAny() {
            return bytes >= 0 || files >= 0;
        }

        Limits over(Limits defaults) {
            return new Limits(
                    bytes == -2 ? defaults.bytes : bytes, files == -2 ? defaults.files : files);
        }
    }

    /** Used and reserved together. */
    record Use(long bytes, long files) {}

    /** An FST as it last said hello. */
    record Fst(long boot, long renewed) {}

    final Map<Name, Node> nodes;
    final Map<Integer, Name> places;
    final Set<Integer> quotaNodes;

    /** Those of them that refuse nothing yet, because what is below is still being counted. */
    final Set<Integer> counting;

    final Map<LimitKey, Limits> limits;
    final Map<Long, Upload> uploads;
    final Map<Integer, Map<String, Bytes>> attributes;
    final Map<Integer, Fst> fsts;

    private int nextTag;

    /** The root alone. */
    Model() {
        this(
                new HashMap<>(),
                new HashMap<>(),
                new HashSet<>(),
                new HashSet<>(),
                new HashMap<>(),
                new LinkedHashMap<>(),
                new HashMap<>(),
                new HashMap<>(),
                1);
        nodes.put(new Name(-1, ""), new Dir(ROOT, "root", "root", 01777));
        places.put(ROOT, new Name(-1, ""));
        quotaNodes.add(ROOT);
    }

    private Model(
            Map<Name, Node> nodes,
            Map<Integer, Name> places,
            Set<Integer> quotaNodes,
            Set<Integer> counting,
            Map<LimitKey, Limits> limits,
            Map<Long, Upload> uploads,
            Map<Integer, Map<String, Bytes>> attributes,
            Map<Integer, Fst> fsts,
            int nextTag) {
        this.nodes = nodes;
        this.places = places;
        this.quotaNodes = quotaNodes;
        this.counting = counting;
        this.limits = limits;
        this.uploads = uploads;
        this.attributes = attributes;
        this.fsts = fsts;
        this.nextTag = nextTag;
    }

    /** A copy that may change without changing this one. */
    Model copy() {
        return new Model(
                new HashMap<>(nodes),
                new HashMap<>(places),
                new HashSet<>(quotaNodes),
                new HashSet<>(counting),
                new HashMap<>(limits),
                new LinkedHashMap<>(uploads),
                new HashMap<>(attributes),
                new HashMap<>(fsts),
                nextTag);
    }

    int nextTag() {
        return nextTag++;
    }

    Dir dir(int tag) {
        return (Dir) java.util.Objects.requireNonNull(nodes.get(places.get(tag)), "directory");
    }

    Optional<Node> at(Name name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** The children of a directory by name. */
    Map<String, Node> children(int dir) {
        var found = new TreeMap<String, Node>();
        nodes.forEach((name, node) -> {
            if (name.dir() == dir) {
                found.put(name.name(), node);
            }
        });
        return found;
    }

    List<Upload> uploadsOf(Name name) {
        return uploads.values().stream().filter(u -> u.at().equals(name)).toList();
    }

    boolean hasUploadsIn(int dir) {
        return uploads.values().stream().anyMatch(u -> u.at().dir() == dir);
    }

    /** Whether the directory is the other or lies below it. */
    boolean isWithin(int dir, int other) {
        for (int at = dir; at >= 0; at = place(at).dir()) {
            if (at == other) {
                return true;
            }
        }
        return false;
    }

    Name place(int dir) {
        return java.util.Objects.requireNonNull(places.get(dir), "place");
    }

    /** The directories from this one up to the root. */
    List<Integer> upward(int dir) {
        var way = new ArrayList<Integer>(4);
        for (int at = dir; at >= 0; at = place(at).dir()) {
            way.add(at);
        }
        return way;
    }

    /** How many levels of directories there are below this one. */
    int levelsBelow(int dir) {
        int deepest = 0;
        for (Node node : nodes.values()) {
            if (node instanceof Dir each) {
                deepest = Math.max(deepest, upward(each.tag()).indexOf(dir));
            }
        }
        return deepest;
    }

    /** Used and reserved by whom the key names, counted one by one. */
    Use use(LimitKey key) {
        long bytes = 0;
        long files = 0;
        for (var each : nodes.entrySet()) {
            if (each.getValue() instanceof File f
                    && counts(key, f.owner(), f.group())
                    && isWithin(each.getKey().dir(), key.node())) {
                bytes += f.sizeBytes();
                files++;
            }
        }
        for (Upload u : uploads.values()) {
            if (counts(key, u.owner(), u.group()) && isWithin(u.at().dir(), key.node())) {
                bytes += u.bytes();
                files += u.files();
            }
        }
        return new Use(bytes, files);
    }

    private static boolean counts(LimitKey key, String owner, String group) {
        return switch (key.kind()) {
            case PROJECT -> true;
            case USER -> key.principal().equals(owner);
            case GROUP -> key.principal().equals(group);
        };
    }

    /** Bytes that may still be reserved for that owner in that directory. */
    long room(int dir, String owner, String group) {
        long room = MOST_BYTES - use(EVERYTHING).bytes();
        for (int node : upward(dir)) {
            for (LimitKey key :
                    List.of(
                            new LimitKey(node, QuotaKind.PROJECT, ""),
                            new LimitKey(node, QuotaKind.USER, owner),
                            new LimitKey(node, QuotaKind.GROUP, group))) {
                Limits limit = limits(key);
                if (limit.bytes() >= 0 && !counting.contains(node)) {
                    room = Math.min(room, Math.max(0, limit.bytes() - use(key).bytes()));
                }
            }
        }
        return room;
    }

    /** Its own limits, and the node's defaults where it has none. */
    Limits limits(LimitKey key) {
        Limits own = limits.getOrDefault(key, Limits.NONE);
        return key.kind() == QuotaKind.PROJECT
                ? own
                : own.over(
                        limits.getOrDefault(new LimitKey(key.node(), key.kind(), ""), Limits.NONE));
    }

    /** How many entries and uploads there are below a directory. */
    int below(int dir) {
        long entries =
                nodes.keySet().stream()
                        .filter(at -> at.dir() >= 0 && isWithin(at.dir(), dir))
                        .count();
        long running = uploads.values().stream().filter(u -> isWithin(u.at().dir(), dir)).count();
        return (int) (entries + running);
    }

    // Everybody whose use some limit may bound: who has one, and who owns something.
    private Set<LimitKey> limited() {
        var keys = new HashSet<LimitKey>();
        for (LimitKey key : limits.keySet()) {
            if (key.kind() == QuotaKind.PROJECT || !key.principal().isEmpty()) {
                keys.add(key);
                continue;
            }
            for (Node node : nodes.values()) {
                keys.add(
                        new LimitKey(
                                key.node(),
                                key.kind(),
                                key.kind() == QuotaKind.USER ? node.owner() : node.group()));
            }
            for (Upload u : uploads.values()) {
                keys.add(
                        new LimitKey(
                                key.node(),
                                key.kind(),
                                key.kind() == QuotaKind.USER ? u.owner() : u.group()));
            }
        }
        return keys;
    }

    /** Whether a limited use grew between the two models and ends above its limit. */
    static boolean growsBeyondALimit(Model before, Model after) {
        if (after.use(EVERYTHING).bytes() > MOST_BYTES || after.use(EVERYTHING).bytes() < 0) {
            return true;
        }
        for (LimitKey key : after.limited()) {
            Limits limits = after.limits(key);
            if (limits.isAny()
                    && !after.counting.contains(key.node())
                    && after.places.containsKey(key.node())
                    && before.places.containsKey(key.node())) {
                Use old = before.use(key);
                Use now = after.use(key);
                if (exceeds(limits.bytes(), old.bytes(), now.bytes())
                        || exceeds(limits.files(), old.files(), now.files())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean exceeds(long limit, long old, long now) {
        return limit >= 0 && now > old && now > limit;
    }

    /** rwx as 4, 2, 1: what the identity may do with the node. */
    static int bits(Identity who, Node node) {
        if (who.superuser()) {
            return 7;
        }
        if (who.user().equals(node.owner())) {
            return node.mode() >> 6 & 7;
        }
        return who.groups().contains(node.group()) ? node.mode() >> 3 & 7 : node.mode() & 7;
    }

    /** Every path and what stat should show of it. */
    Map<String, String> visible() {
        var seen = new TreeMap<String, String>();
        collect(ROOT, "", seen);
        return seen;
    }

    private void collect(int dir, String path, Map<String, String> seen) {
        children(dir)
                .forEach((name, node) -> {
                    String at = path + "/" + name;
                    switch (node) {
                        case Dir d -> {
                            seen.put(at, "dir %s:%s %o".formatted(d.owner(), d.group(), d.mode()));
                            collect(d.tag(), at, seen);
                        }
                        case File f ->
                                seen.put(
                                        at,
                                        "file %s:%s %o %d v%d%s"
                                                .formatted(
                                                        f.owner(),
                                                        f.group(),
                                                        f.mode(),
                                                        f.sizeBytes(),
                                                        f.version(),
                                                        f.updating() != 0 || f.unsettled()
                                                                ? " updating"
                                                                : ""));
                    }
                });
    }
}

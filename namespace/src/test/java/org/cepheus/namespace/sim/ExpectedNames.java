package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.QuotaChange;
import org.cepheus.namespace.sim.Model.Dir;
import org.cepheus.namespace.sim.Model.File;
import org.cepheus.namespace.sim.Model.LimitKey;
import org.cepheus.namespace.sim.Model.Limits;
import org.cepheus.namespace.sim.Model.Name;
import org.cepheus.namespace.sim.Model.Node;

/** What should become of the tree: mutations as a user would explain them. */
final class ExpectedNames {
    private final Model model;
    private final Identity who;
    private final Set<Long> ended;

    ExpectedNames(Model model, Identity who, Set<Long> ended) {
        this.model = model;
        this.who = who;
        this.ended = ended;
    }

    /** The directory of a path's last name, and what is there. */
    record Where(Dir dir, Name name, Optional<Node> node) {}

    /** Reasons against a command; any of them will do. */
    static final class Reasons {
        private final Set<Class<? extends FsError>> kinds = new HashSet<>();

        Reasons when(boolean holds, Class<? extends FsError> kind) {
            if (holds) {
                kinds.add(kind);
            }
            return this;
        }

        void refuseIfAny() {
            if (!kinds.isEmpty()) {
                throw new Expected(kinds);
            }
        }
    }

    void change(Mutation mutation) {
        switch (mutation) {
            case Mutation.MakeDirectory c -> make(c);
            case Mutation.RemoveDirectory c -> removeDirectory(c.path());
            case Mutation.Rename c -> rename(c);
            case Mutation.RemoveFile c -> removeFile(c.path());
            case Mutation.SetMode c -> setMode(c);
            case Mutation.SetOwner c -> setOwner(c);
            case Mutation.SetModified c -> setModified(c);
            case Mutation.SetAttribute c -> setAttribute(c);
            case Mutation.RemoveAttribute c -> removeAttribute(c);
            case Mutation.ChangeAttributes c -> changeAttributes(c);
            case Mutation.SetQuota c -> setQuota(c);
            case Mutation.SetDefaultQuota c -> setDefaultQuota(c);
            case Mutation.RemoveQuota c -> removeQuota(c);
            case Mutation.IfVersion c -> {
                requireVersion(c);
                change(c.change());
            }
        }
    }

    private void requireVersion(Mutation.IfVersion c) {
        Node node = existing(walk(c.path()));
        new Reasons()
                .when(node instanceof Dir, FsError.IsDirectory.class)
                .when(
                        node instanceof File file && file.version() != c.version(),
                        FsError.AlreadyExists.class)
                .refuseIfAny();
    }

    Where walk(FsPath path) {
        Dir at = model.dir(Model.ROOT);
        if (path.isRoot()) {
            return new Where(at, new Name(-1, ""), Optional.of(at));
        }
        List<String> names = path.components();
        for (String name : names.subList(0, names.size() - 1)) {
            at = enter(at, name);
        }
        requireSearch(at);
        var last = new Name(at.tag(), names.getLast());
        return new Where(at, last, model.at(last));
    }

    private Dir enter(Dir at, String name) {
        requireSearch(at);
        return switch (model.at(new Name(at.tag(), name)).orElse(null)) {
            case null -> throw Expected.refusal(FsError.NotFound.class);
            case File _ -> throw Expected.refusal(FsError.NotDirectory.class);
            case Dir dir -> dir;
        };
    }

    private void requireSearch(Dir dir) {
        if ((Model.bits(who, dir) & 1) == 0) {
            throw Expected.refusal(FsError.PermissionDenied.class);
        }
    }

    Node existing(Where where) {
        return where.node().orElseThrow(() -> Expected.refusal(FsError.NotFound.class));
    }

    boolean mayWrite(Node node) {
        return (Model.bits(who, node) & 2) != 0;
    }

    boolean mayChange(Dir dir) {
        return (Model.bits(who, dir) & 3) == 3;
    }

    boolean owns(String owner) {
        return who.superuser() || who.user().equals(owner);
    }

    boolean mayRemove(Dir dir, String owner) {
        return mayChange(dir) && ((dir.mode() & 01000) == 0 || owns(owner) || owns(dir.owner()));
    }

    Identity who() {
        return who;
    }

    private void make(Mutation.MakeDirectory c) {
        if (c.parents()) {
            ensure(c.path(), c.mode());
            return;
        }
        Where where = walk(c.path());
        new Reasons()
                .when(where.node().isPresent(), FsError.AlreadyExists.class)
                .when(!mayChange(where.dir()), FsError.PermissionDenied.class)
                .refuseIfAny();
        create(where.dir(), where.name(), c.mode());
    }

    /** Makes what is missing; the maker can always go on below what it just made. */
    void ensure(FsPath path, int mode) {
        Dir at = model.dir(Model.ROOT);
        List<String> names = path.components();
        for (int i = 0; i < names.size(); i++) {
            var name = new Name(at.tag(), names.get(i));
            if (model.at(name).isEmpty()) {
                new Reasons().when(!mayChange(at), FsError.PermissionDenied.class).refuseIfAny();
                at = create(at, name, i < names.size() - 1 ? mode | 0300 : mode);
            } else {
                at = enter(at, name.name());
            }
        }
    }

    private Dir create(Dir parent, Name name, int mode) {
        boolean inherits = (parent.mode() & 02000) != 0;
        var made =
                new Dir(
                        model.nextTag(),
                        who.user(),
                        inherits ? parent.group() : who.primaryGroup(),
                        mode & 07777 | (inherits ? 02000 : 0));
        model.nodes.put(name, made);
        model.places.put(made.tag(), name);
        return made;
    }

    private void removeDirectory(FsPath path) {
        new Reasons().when(path.isRoot(), FsError.InvalidArgument.class).refuseIfAny();
        Where where = walk(path);
        if (!(existing(where) instanceof Dir dir)) {
            throw Expected.refusal(FsError.NotDirectory.class);
        }
        new Reasons()
                .when(!mayRemove(where.dir(), dir.owner()), FsError.PermissionDenied.class)
                .when(!model.children(dir.tag()).isEmpty(), FsError.NotEmpty.class)
                .when(model.hasUploadsIn(dir.tag()), FsError.NotEmpty.class)
                .refuseIfAny();
        model.nodes.remove(where.name());
        model.places.remove(dir.tag());
        model.attributes.remove(dir.tag());
        forgetNode(dir.tag());
    }

    private void forgetNode(int tag) {
        model.quotaNodes.remove(tag);
        model.counting.remove(tag);
        model.limits.keySet().removeIf(key -> key.node() == tag);
    }

    private void rename(Mutation.Rename c) {
        new Reasons()
                .when(c.path().isRoot() || c.target().isRoot(), FsError.InvalidArgument.class)
                .refuseIfAny();
        Where from = walk(c.path());
        Node node = existing(from);
        if (c.path().equals(c.target())) {
            return;
        }
        new Reasons()
                .when(c.target().isAtOrBelow(c.path()), FsError.InvalidArgument.class)
                .refuseIfAny();
        Where to = walk(c.target());
        var reasons =
                new Reasons()
                        .when(!mayChange(to.dir()), FsError.PermissionDenied.class)
                        .when(!mayRemove(from.dir(), node.owner()), FsError.PermissionDenied.class);
        if (node instanceof File file) {
            reasons.when(file.updating() != 0, FsError.FileLocked.class);
            to.node().ifPresent(there -> mayBeReplaced(to, there, c.replace(), reasons));
        } else {
            reasons.when(to.node().isPresent(), FsError.AlreadyExists.class)
                    .when(pushesOutOfReach(c, (Dir) node), FsError.TooLong.class)
                    .when(isTooMuch(node.tag(), from.dir(), to.dir()), FsError.CrossDevice.class);
        }
        reasons.refuseIfAny();
        to.node().ifPresent(this::forgetContent);
        model.nodes.remove(from.name());
        model.nodes.put(to.name(), node);
        if (node instanceof Dir dir) {
            model.places.put(dir.tag(), to.name());
        }
    }

    // Only a quota node knows what lies below it, however much that is.
    private boolean isTooMuch(int moved, Dir from, Dir to) {
        boolean known = model.quotaNodes.contains(moved) && !model.counting.contains(moved);
        return !known
                && !nodesAbove(from).equals(nodesAbove(to))
                && model.below(moved) > Replica.BOUNDS.rechargedAtOnce();
    }

    private Set<Integer> nodesAbove(Dir dir) {
        var nodes = new HashSet<>(model.upward(dir.tag()));
        nodes.retainAll(model.quotaNodes);
        return nodes;
    }

    // What is deep already may move where it is no deeper; files need a level below directories.
    private boolean pushesOutOfReach(Mutation.Rename c, Dir dir) {
        int depth = c.target().components().size();
        return depth > c.path().components().size()
                && depth + model.levelsBelow(dir.tag()) + 1 > FsPath.MAX_DEPTH;
    }

    private void mayBeReplaced(Where to, Node there, boolean replace, Reasons reasons) {
        switch (there) {
            case Dir _ -> reasons.when(true, FsError.IsDirectory.class);
            case File target ->
                    reasons.when(!replace, FsError.AlreadyExists.class)
                            .when(
                                    !mayRemove(to.dir(), target.owner()),
                                    FsError.PermissionDenied.class)
                            .when(target.updating() != 0, FsError.FileLocked.class);
        }
    }

    private void forgetContent(Node node) {
        if (node instanceof File file) {
            ended.add(file.version());
            model.attributes.remove(file.tag());
        }
    }

    private void removeFile(FsPath path) {
        Where where = walk(path);
        if (where.node().isEmpty()) {
            removeUploads(where);
            return;
        }
        if (!(existing(where) instanceof File file)) {
            throw Expected.refusal(FsError.IsDirectory.class);
        }
        new Reasons()
                .when(!mayRemove(where.dir(), file.owner()), FsError.PermissionDenied.class)
                .refuseIfAny();
        model.uploads.values().removeIf(u -> u.at().equals(where.name()));
        model.nodes.remove(where.name());
        forgetContent(file);
    }

    // In a sticky directory nobody ends another's upload.
    private void removeUploads(Where where) {
        List<Model.Upload> uploads = model.uploadsOf(where.name());
        new Reasons()
                .when(uploads.isEmpty() || !mayChange(where.dir()), FsError.NotFound.class)
                .when(
                        !uploads.stream().allMatch(u -> mayRemove(where.dir(), u.owner())),
                        FsError.PermissionDenied.class)
                .refuseIfAny();
        model.uploads.values().removeIf(u -> u.at().equals(where.name()));
    }

    private void setMode(Mutation.SetMode c) {
        Where where = walk(c.path());
        Node node = existing(where);
        new Reasons().when(!owns(node.owner()), FsError.PermissionDenied.class).refuseIfAny();
        put(where, node, node.owner(), node.group(), c.mode() & 07777);
    }

    private void setOwner(Mutation.SetOwner c) {
        Where where = walk(c.path());
        boolean foreignGroup = c.group().filter(g -> !who.groups().contains(g)).isPresent();
        boolean tooMuch = !who.superuser() && (c.owner().isPresent() || foreignGroup);
        var reasons =
                new Reasons()
                        .when(where.node().isEmpty(), FsError.NotFound.class)
                        .when(tooMuch, FsError.PermissionDenied.class);
        where.node()
                .ifPresent(
                        node -> reasons.when(!owns(node.owner()), FsError.PermissionDenied.class));
        reasons.refuseIfAny();
        Node node = existing(where);
        put(
                where,
                node,
                c.owner().orElse(node.owner()),
                c.group().orElse(node.group()),
                node.mode());
    }

    private void put(Where where, Node node, String owner, String group, int mode) {
        model.nodes.put(
                where.name(),
                switch (node) {
                    case Dir d -> new Dir(d.tag(), owner, group, mode);
                    case File f -> f.withAccess(owner, group, mode);
                });
    }

    private void setModified(Mutation.SetModified c) {
        Node node = existing(walk(c.path()));
        boolean writes = node instanceof File && mayWrite(node);
        new Reasons()
                .when(!writes && !owns(node.owner()), FsError.PermissionDenied.class)
                .refuseIfAny();
    }

    private void setAttribute(Mutation.SetAttribute c) {
        Map<String, Bytes> found = attributes(c.path(), c.name());
        new Reasons()
                .when(c.onlyNew() && found.containsKey(c.name()), FsError.AlreadyExists.class)
                .refuseIfAny();
        found.put(c.name(), c.value());
    }

    private void removeAttribute(Mutation.RemoveAttribute c) {
        Map<String, Bytes> found = attributes(c.path(), c.name());
        new Reasons().when(!found.containsKey(c.name()), FsError.NotFound.class).refuseIfAny();
        found.remove(c.name());
    }

    private void changeAttributes(Mutation.ChangeAttributes c) {
        var refused = new Reasons();
        for (Mutation.AttributeChange change : c.changes()) {
            boolean system = change.name().startsWith("sys.");
            refused.when(
                            !system && !change.name().startsWith("user."),
                            FsError.InvalidArgument.class)
                    .when(system && !who.superuser(), FsError.PermissionDenied.class);
        }
        refused.refuseIfAny();
        for (Mutation.AttributeChange change : c.changes()) {
            Map<String, Bytes> found = attributes(c.path(), change.name());
            found.remove(change.name());
            change.value().ifPresent(value -> found.put(change.name(), value));
        }
    }

    private Map<String, Bytes> attributes(FsPath path, String name) {
        boolean system = name.startsWith("sys.");
        new Reasons()
                .when(!system && !name.startsWith("user."), FsError.InvalidArgument.class)
                .when(system && !who.superuser(), FsError.PermissionDenied.class)
                .refuseIfAny();
        Node node = existing(walk(path));
        new Reasons().when(!mayWrite(node), FsError.PermissionDenied.class).refuseIfAny();
        var copy = new HashMap<>(model.attributes.getOrDefault(node.tag(), Map.of()));
        model.attributes.put(node.tag(), copy);
        return copy;
    }

    private Dir quotaDirectory(FsPath path) {
        new Reasons().when(!who.superuser(), FsError.PermissionDenied.class).refuseIfAny();
        if (existing(walk(path)) instanceof Dir dir) {
            return dir;
        }
        throw Expected.refusal(FsError.NotDirectory.class);
    }

    private void setQuota(Mutation.SetQuota c) {
        boolean named = !c.principal().isEmpty();
        new Reasons()
                .when(!who.superuser(), FsError.PermissionDenied.class)
                .when(isInvalid(c.limits()), FsError.InvalidArgument.class)
                .when(named == (c.kind() == QuotaKind.PROJECT), FsError.InvalidArgument.class)
                .refuseIfAny();
        Dir dir = quotaDirectory(c.path());
        makeNode(dir.tag());
        setLimits(new LimitKey(dir.tag(), c.kind(), c.principal()), c.limits());
    }

    private void setDefaultQuota(Mutation.SetDefaultQuota c) {
        new Reasons()
                .when(!who.superuser(), FsError.PermissionDenied.class)
                .when(isInvalid(c.limits()), FsError.InvalidArgument.class)
                .when(c.kind() == QuotaKind.PROJECT, FsError.InvalidArgument.class)
                .refuseIfAny();
        Dir dir = quotaDirectory(c.path());
        makeNode(dir.tag());
        setLimits(new LimitKey(dir.tag(), c.kind(), ""), c.limits());
    }

    private static boolean isInvalid(QuotaChange limits) {
        return limits.all().anyMatch(limit -> limit.orElse(0) < -2);
    }

    private void makeNode(int tag) {
        if (model.quotaNodes.add(tag) && model.below(tag) > Replica.BOUNDS.countedAtOnce()) {
            model.counting.add(tag);
        }
    }

    private void setLimits(LimitKey key, QuotaChange change) {
        Limits old = model.limits.getOrDefault(key, Limits.NONE);
        model.limits.put(
                key,
                new Limits(change.bytes().orElse(old.bytes()), change.files().orElse(old.files())));
    }

    private void removeQuota(Mutation.RemoveQuota c) {
        Dir dir = quotaDirectory(c.path());
        new Reasons()
                .when(!model.quotaNodes.contains(dir.tag()), FsError.NotFound.class)
                .refuseIfAny();
        forgetNode(dir.tag());
        if (dir.tag() == Model.ROOT) {
            model.quotaNodes.add(Model.ROOT);
        }
    }

    /** The content of a version is no more. */
    void end(long version) {
        ended.add(version);
    }
}

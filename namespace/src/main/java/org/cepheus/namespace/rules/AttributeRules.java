package org.cepheus.namespace.rules;

import java.util.ArrayList;
import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.AttributeKey;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Tables;

/** Extended attributes: {@code user.*} for who may write, {@code sys.*} for superusers. */
final class AttributeRules {
    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_VALUE_BYTES = 64 << 10;
    private static final int MAX_ATTRIBUTES = 128;

    private AttributeRules() {}

    static void set(Work work, Mutation.SetAttribute command) {
        checkName(work, command.name());
        checkValue(command.name(), command.value());
        long inode = target(work, command.path(), true);
        var key = new AttributeKey(inode, command.name());
        boolean exists = work.draft().get(Tables.ATTRIBUTES, key).isPresent();
        if (exists && command.onlyNew()) {
            throw Work.refuse(
                    new FsError.AlreadyExists(
                            "%s has the attribute %s already"
                                    .formatted(command.path(), command.name())));
        }
        if (!exists) {
            requireRoom(work, inode, command.path(), 1);
        }
        work.draft().put(Tables.ATTRIBUTES, key, command.value());
    }

    private static void checkValue(String name, Bytes value) {
        if (value.size() > MAX_VALUE_BYTES) {
            throw Work.refuse(
                    new FsError.TooLong(
                            "attribute %s has %d bytes, the limit is %d"
                                    .formatted(name, value.size(), MAX_VALUE_BYTES)));
        }
    }

    private static void requireRoom(Work work, long inode, FsPath path, int more) {
        int has = names(work, inode).size();
        if (has + more > MAX_ATTRIBUTES) {
            throw Work.refuse(
                    new FsError.TooLong(
                            "%s has %d attributes and would get %d more, the limit is %d"
                                    .formatted(path, has, more, MAX_ATTRIBUTES)));
        }
    }

    static void change(Work work, Mutation.ChangeAttributes command) {
        boolean adding = false;
        for (Mutation.AttributeChange change : command.changes()) {
            checkName(work, change.name());
            change.value().ifPresent(value -> checkValue(change.name(), value));
            adding |= change.value().isPresent();
        }
        long inode = target(work, command.path(), adding);
        int more = 0;
        for (Mutation.AttributeChange change : command.changes()) {
            var key = new AttributeKey(inode, change.name());
            boolean exists = work.draft().get(Tables.ATTRIBUTES, key).isPresent();
            more += (change.value().isPresent() ? 1 : 0) - (exists ? 1 : 0);
        }
        if (more > 0) {
            requireRoom(work, inode, command.path(), more);
        }
        for (Mutation.AttributeChange change : command.changes()) {
            var key = new AttributeKey(inode, change.name());
            if (change.value().isPresent()) {
                work.draft().put(Tables.ATTRIBUTES, key, change.value().get());
            } else if (work.draft().get(Tables.ATTRIBUTES, key).isPresent()) {
                work.draft().delete(Tables.ATTRIBUTES, key);
            }
        }
    }

    static void remove(Work work, Mutation.RemoveAttribute command) {
        checkName(work, command.name());
        long inode = target(work, command.path(), false);
        var key = new AttributeKey(inode, command.name());
        if (work.draft().get(Tables.ATTRIBUTES, key).isEmpty()) {
            throw Work.refuse(
                    new FsError.NotFound(
                            "%s has no attribute %s".formatted(command.path(), command.name())));
        }
        work.draft().delete(Tables.ATTRIBUTES, key);
    }

    private static void checkName(Work work, String name) {
        boolean system = name.startsWith("sys.");
        if (!system && !name.startsWith("user.")) {
            throw Work.refuse(
                    new FsError.InvalidArgument(
                            "attribute names start with user. or sys., is '%s'".formatted(name)));
        }
        if (name.getBytes(java.nio.charset.StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw Work.refuse(
                    new FsError.TooLong("attribute names have at most 255 bytes: " + name));
        }
        if (system && !work.subject().isSuperuser()) {
            throw work.denied("change " + name + ": sys. attributes are the operator's");
        }
    }

    // The inode, after checking the right to write; a file is marked as having attributes.
    private static long target(Work work, FsPath path, boolean adding) {
        Walk walk = Walk.to(work.draft(), work.subject(), path);
        return switch (walk.existing()) {
            case Entry.DirectoryLink link -> {
                Directory dir = Walk.directory(work.draft(), link.id());
                requireWrite(work, dir.mode(), dir.owner(), dir.group(), path);
                yield dir.id();
            }
            case Entry.File file -> {
                requireWrite(work, file.mode(), file.owner(), file.group(), path);
                if (adding && !file.hasAttributes()) {
                    int flags = file.flags() | Entry.File.HAS_ATTRIBUTES;
                    work.draft().put(Tables.ENTRIES, walk.key(), file.withFlags(flags, work.now()));
                }
                yield file.inode();
            }
            case Entry.Symlink _ -> throw Work.refuse(new FsError.Unsupported("symbolic link"));
        };
    }

    private static void requireWrite(Work work, int mode, int owner, int group, FsPath path) {
        if (!work.subject().mayWrite(mode, owner, group)) {
            throw work.denied("change attributes of %s (mode %04o)".formatted(path, mode));
        }
    }

    static void deleteAll(Work work, long inode) {
        for (String name : names(work, inode)) {
            work.draft().delete(Tables.ATTRIBUTES, new AttributeKey(inode, name));
        }
    }

    private static List<String> names(Work work, long inode) {
        var names = new ArrayList<String>();
        byte[] prefix = Tables.longKey(inode);
        work.draft()
                .scan(
                        Tables.ATTRIBUTES,
                        prefix,
                        Tables.after(prefix),
                        (key, _) -> names.add(Tables.nameIn(key)));
        return names;
    }
}

package org.cepheus.namespace.rules;

import java.util.ArrayList;
import java.util.List;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Identity;
import org.cepheus.domain.QuotaKind;
import org.cepheus.namespace.View;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.PrincipalId;
import org.cepheus.namespace.rows.Rows.PrincipalName;
import org.cepheus.namespace.rows.Tables;

/**
 * An identity as the mode bits see it: numbers instead of names. A name the namespace has never
 * stored has the number {@link #UNKNOWN}, which owns nothing.
 */
public record Subject(Identity identity, int user, List<Integer> groups) {
    /** Owns nothing, belongs to nothing. */
    public static final int UNKNOWN = -1;

    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final int SEARCH = 1;
    private static final int STICKY = 01000;

    public Subject {
        groups = List.copyOf(groups);
    }

    public static Subject of(View view, Identity identity) {
        var groups = new ArrayList<Integer>(identity.groups().size());
        for (String group : identity.groups()) {
            groups.add(id(view, QuotaKind.GROUP, group));
        }
        return new Subject(identity, id(view, QuotaKind.USER, identity.user()), groups);
    }

    private static int id(View view, QuotaKind kind, String name) {
        return view.get(Tables.PRINCIPAL_IDS, new PrincipalName(kind, name))
                .map(PrincipalId::id)
                .orElse(UNKNOWN);
    }

    public boolean isSuperuser() {
        return identity.superuser();
    }

    public boolean owns(int owner) {
        return identity.superuser() || (user != UNKNOWN && user == owner);
    }

    public boolean isIn(int group) {
        return group != UNKNOWN && groups.contains(group);
    }

    /** What these mode bits allow. */
    public AccessBits access(int mode, int owner, int group) {
        int bits = bits(mode, owner, group);
        return new AccessBits((bits & READ) != 0, (bits & WRITE) != 0, (bits & SEARCH) != 0);
    }

    private int bits(int mode, int owner, int group) {
        if (identity.superuser()) {
            return READ | WRITE | SEARCH;
        }
        if (owns(owner)) {
            return mode >> 6 & 7;
        }
        return isIn(group) ? mode >> 3 & 7 : mode & 7;
    }

    public boolean mayRead(int mode, int owner, int group) {
        return (bits(mode, owner, group) & READ) != 0;
    }

    public boolean mayWrite(int mode, int owner, int group) {
        return (bits(mode, owner, group) & WRITE) != 0;
    }

    public boolean maySearch(Directory dir) {
        return (bits(dir.mode(), dir.owner(), dir.group()) & SEARCH) != 0;
    }

    public boolean mayList(Directory dir) {
        return (bits(dir.mode(), dir.owner(), dir.group()) & READ) != 0;
    }

    /** May make names in the directory, and remove those the sticky bit lets it. */
    public boolean mayChange(Directory dir) {
        int both = WRITE | SEARCH;
        return (bits(dir.mode(), dir.owner(), dir.group()) & both) == both;
    }

    /** In a sticky directory only the owner of the entry or of the directory removes it. */
    public boolean mayRemove(Directory dir, int entryOwner) {
        return mayChange(dir)
                && ((dir.mode() & STICKY) == 0 || owns(entryOwner) || owns(dir.owner()));
    }
}

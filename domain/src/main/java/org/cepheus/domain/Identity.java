package org.cepheus.domain;

import java.util.List;

/**
 * Who asks: a user name, the groups (the first is the primary one), and whether mode bits bind it.
 * Names are what is replicated; their numbers are interned in the namespace and are no host uids.
 */
public record Identity(String user, List<String> groups, boolean superuser) {
    /** The most groups one identity carries into a command. */
    public static final int MAX_GROUPS = 64;

    /** Somebody of whom nothing is known. */
    public static final Identity NOBODY = new Identity("nobody", List.of("nogroup"), false);

    /** The system itself: expiry, renewal, registration. */
    public static final Identity SYSTEM = new Identity("root", List.of("root"), true);

    public Identity {
        groups = List.copyOf(groups.size() > MAX_GROUPS ? groups.subList(0, MAX_GROUPS) : groups);
        if (user.isBlank() || user.length() > 255 || groups.isEmpty()) {
            throw new FsException(
                    new FsError.InvalidArgument("an identity needs a user name and a group"));
        }
    }

    public String primaryGroup() {
        return groups.getFirst();
    }
}

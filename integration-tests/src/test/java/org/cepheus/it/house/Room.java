package org.cepheus.it.house;

import java.util.List;
import java.util.stream.Stream;

/**
 * A room of the house: a module, the rooms it may import and the libraries it may import. The JDK
 * and JSpecify are open to all.
 */
record Room(String module, List<String> rooms, List<String> libraries) {
    private static final String SLF4J = "org.slf4j..";
    private static final String NETTY = "io.netty..";

    /** Whoever wires a process makes the event loops and hands them to the protocols. */
    private static final String NETTY_CHANNELS = "io.netty.channel..";

    private static final String PICOCLI = "picocli..";
    private static final String JACKSON = "tools.jackson..";
    private static final String JACKSON_ANNOTATIONS = "com.fasterxml.jackson.annotation..";

    /** The table of the architecture; a new row or word here is a decision, not a repair. */
    static final List<Room> ALL =
            List.of(
                    new Room("domain", List.of(), List.of()),
                    new Room("quota", List.of("domain"), List.of()),
                    new Room("namespace", List.of("domain", "quota"), List.of()),
                    new Room("auth", List.of("domain"), List.of(SLF4J)),
                    new Room("protocol-socket", List.of("domain"), List.of(SLF4J, NETTY)),
                    new Room(
                            "protocol-xrootd",
                            List.of("domain", "protocol-socket"),
                            List.of(SLF4J, NETTY)),
                    new Room(
                            "protocol-http",
                            List.of("domain", "protocol-socket"),
                            List.of(SLF4J, NETTY)),
                    new Room("protocol-control", List.of("domain"), List.of(SLF4J, NETTY)),
                    new Room(
                            "runtime",
                            List.of("domain"),
                            List.of(SLF4J, JACKSON, "io.micrometer..", JACKSON_ANNOTATIONS)),
                    new Room(
                            "admin",
                            List.of("domain", "runtime"),
                            List.of(SLF4J, JACKSON, JACKSON_ANNOTATIONS, "org.eclipse.jetty..")),
                    new Room(
                            "mgm",
                            List.of(
                                    "domain",
                                    "quota",
                                    "namespace",
                                    "auth",
                                    "protocol-xrootd",
                                    "protocol-http",
                                    "protocol-control",
                                    "runtime",
                                    "admin"),
                            List.of(SLF4J, "org.apache.ratis..", "org.rocksdb..", NETTY_CHANNELS)),
                    new Room(
                            "fst",
                            List.of(
                                    "domain",
                                    "auth",
                                    "protocol-xrootd",
                                    "protocol-http",
                                    "protocol-control",
                                    "runtime",
                                    "admin"),
                            List.of(SLF4J, NETTY_CHANNELS)),
                    new Room(
                            "cli",
                            List.of("domain"),
                            List.of(SLF4J, JACKSON, JACKSON_ANNOTATIONS, PICOCLI)),
                    new Room(
                            "app",
                            List.of(
                                    "domain",
                                    "auth",
                                    "runtime",
                                    "admin",
                                    "mgm",
                                    "fst",
                                    "protocol-socket",
                                    "cli"),
                            List.of(SLF4J, NETTY, PICOCLI, "ch.qos.logback..")));

    static final List<Room> PURE = ALL.stream().filter(Room::isPure).toList();

    /** Pure rooms are replayed on every replica, so they may not look at the world around them. */
    boolean isPure() {
        return List.of("domain", "quota", "namespace").contains(module);
    }

    String packages() {
        return packagesOf(module);
    }

    String[] mayImport() {
        return Stream.of(
                        Stream.of("java..", "javax..", "org.jspecify..", packages()),
                        rooms.stream().map(Room::packagesOf),
                        libraries.stream())
                .flatMap(packages -> packages)
                .toArray(String[]::new);
    }

    private static String packagesOf(String module) {
        return "org.cepheus." + module.replace('-', '.') + "..";
    }

    @Override
    public String toString() {
        return module;
    }
}

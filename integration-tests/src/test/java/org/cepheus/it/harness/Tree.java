package org.cepheus.it.harness;

import java.nio.file.Path;
import java.util.Objects;

/** Where the source tree is. */
public final class Tree {
    public static final Path ROOT =
            Path.of(
                    Objects.requireNonNull(
                            System.getProperty("cepheus.root"),
                            "start the tests by ./dev it, or set -Dcepheus.root"));

    private Tree() {}
}

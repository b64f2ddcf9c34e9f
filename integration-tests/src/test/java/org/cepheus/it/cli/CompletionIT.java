package org.cepheus.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Tree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody types at a zsh and presses the tabulator. */
class CompletionIT {
    /** A terminal in a terminal: types, and prints what it sees until that is there. */
    private static final String TYPIST =
            """
            zmodload zsh/zpty
            zpty -b shell "TERM=dumb zsh -f -i"
            type() { zpty -w -n shell "$1" }
            see() {
              local all= part=
              local -i end=$((SECONDS + 30))
              while ((SECONDS < end)); do
                zpty -r -t shell part && all+=$part
                [[ $all == *$1* ]] && { print -r -- "$all"; return 0 }
                zselect -t 5
              done
              print -r -- "not seen: $1 in $all"
              exit 1
            }
            zmodload zsh/zselect
            type "PS1='> '; source =($1 completion zsh); echo rea''dy"$'\\n'
            see ready
            type $'cepheus quo\\t'
            see 'cepheus quota '
            type $'se\\t'
            see 'set '
            type $'--so\\t\\t'
            see '--soft-bytes  --soft-files'
            zpty -d shell
            """;

    @TempDir Path directory;

    @Test
    void zshCompletesCommandsVerbsAndOptions() throws IOException {
        Path script = Files.writeString(directory.resolve("typist"), TYPIST);

        Run typed =
                Client.named("zsh")
                        .in(directory)
                        .run("-f", script, Tree.ROOT.resolve("cepheus"))
                        .succeeded();

        assertThat(typed.output()).contains("cepheus quota ").doesNotContain("--json");
    }
}

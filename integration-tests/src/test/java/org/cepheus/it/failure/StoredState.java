package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Sample;
import tools.jackson.databind.JsonNode;

/**
 * All that a server keeps: every entry as the MGM shows it, the content of every data file, every
 * counter of every quota, and the uploads that run.
 */
record StoredState(
        Map<String, String> entries,
        Map<String, String> dataFiles,
        String quotas,
        List<JsonNode> transfers) {
    private static final Duration SETTLED = Duration.ofSeconds(30);

    static StoredState of(CepheusUp up) {
        var entries = new TreeMap<String, String>();
        collect(up, "/", entries);
        var dataFiles = new TreeMap<String, String>();
        up.dataFiles().forEach(file -> dataFiles.put(file.toString(), Sample.adler32Of(file)));
        return new StoredState(entries, dataFiles, up.rest("quotas").toString(), up.transfers());
    }

    private static void collect(CepheusUp up, String directory, Map<String, String> into) {
        for (JsonNode entry : up.entries(directory)) {
            String path = directory + entry.path("name").asString();
            into.put(path, entry.toString());
            if (entry.path("kind").asString().equals("directory")) {
                collect(up, path + "/", into);
            }
        }
    }

    /** Waits for uploads that were given up to end, and for their data files to be deleted. */
    void awaitIn(CepheusUp up) {
        try {
            Deadline.await("as before", SETTLED, () -> isSeenIn(up));
        } catch (AssertionError e) {
            assertThat(of(up)).as("what is stored").isEqualTo(this);
        }
    }

    private boolean isSeenIn(CepheusUp up) {
        try {
            return equals(of(up));
        } catch (UncheckedIOException _) {
            return false; // A data file was deleted while it was read.
        }
    }
}

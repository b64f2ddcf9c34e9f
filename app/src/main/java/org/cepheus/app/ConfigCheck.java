package org.cepheus.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.cepheus.auth.ClusterSecret;
import org.cepheus.auth.FstKey;
import org.cepheus.auth.FstKeys;
import org.cepheus.domain.FsException;
import org.cepheus.runtime.ConfigException;
import org.cepheus.runtime.ConfigFile;

/** What is wrong with files of servers, each for itself and beside the others. */
final class ConfigCheck {
    /** One problem of one file. */
    record Problem(String file, String sentence) {}

    private final Map<Path, MgmFile> mgms = new LinkedHashMap<>();
    private final Map<Path, FstFile> fsts = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private ConfigCheck() {}

    /** All problems of these files, in their order. */
    static List<Problem> of(List<Path> files) {
        var check = new ConfigCheck();
        files.forEach(check::read);
        check.checkSecrets();
        check.checkAgreement();
        check.checkMembers();
        check.checkFsts();
        return check.problems;
    }

    private void read(Path file) {
        try {
            switch (ConfigFile.read(file, ServerFile::from)) {
                case MgmFile mgm -> mgms.put(file, mgm);
                case FstFile fst -> fsts.put(file, fst);
            }
        } catch (ConfigException e) {
            e.problems().forEach(each -> add(file, each));
        }
    }

    private void add(Path file, String sentence) {
        problems.add(new Problem(file.toString(), sentence));
    }

    /** Secrets and keys: readable, private, and of one cluster. */
    private void checkSecrets() {
        Map<ClusterSecret, Path> secrets = new HashMap<>();
        mgms.forEach((file, mgm) -> {
            try {
                secrets.put(ClusterSecret.read(mgm.secretFile()), file);
            } catch (FsException e) {
                add(file, "secret_file: " + e.error().message());
            }
        });
        if (secrets.size() > 1) {
            add(
                    secrets.values().stream().sorted().toList().getLast(),
                    "secret_file holds another secret than that of the other members");
        }
        Optional<FstKeys> keys =
                secrets.size() == 1
                        ? Optional.of(new FstKeys(secrets.keySet().iterator().next()))
                        : Optional.empty();
        fsts.forEach((file, fst) -> checkKey(file, fst, keys));
    }

    private void checkKey(Path file, FstFile fst, Optional<FstKeys> keys) {
        try {
            FstKey key = FstKey.parse(ClusterSecret.readPrivateText(fst.keyFile()));
            if (keys.isPresent() && !isFrom(keys.get(), fst.id(), key)) {
                add(
                        file,
                        "key_file %s does not come from the members' secret for id %d; write it anew: cepheus key fst --id %d"
                                .formatted(fst.keyFile(), fst.id(), fst.id()));
            }
        } catch (FsException e) {
            add(file, "key_file: " + e.error().message());
        }
    }

    private static boolean isFrom(FstKeys keys, int id, FstKey key) {
        return key.fstId() == id && keys.keyOf(id, key.keyId()).toText().equals(key.toText());
    }

    private void checkAgreement() {
        var clusters = new TreeMap<String, List<Path>>();
        mgms.forEach((file, mgm) -> note(clusters, mgm.cluster(), file));
        fsts.forEach((file, fst) -> note(clusters, fst.cluster(), file));
        if (clusters.size() > 1) {
            clusters.forEach((cluster, files) ->
                    files.forEach(file ->
                            add(file, "cluster is %s, and others differ".formatted(cluster))));
        }
    }

    private static <T> void note(Map<T, List<Path>> files, T value, Path file) {
        files.computeIfAbsent(value, each -> new ArrayList<>()).add(file);
    }

    private void checkMembers() {
        var names = new TreeMap<String, List<Path>>();
        mgms.forEach((file, mgm) -> note(names, mgm.member(), file));
        names.forEach((name, files) ->
                files.stream()
                        .skip(1)
                        .forEach(file ->
                                add(
                                        file,
                                        "member is %s, as in %s"
                                                .formatted(name, files.getFirst()))));
        mgms.entrySet().stream()
                .skip(1)
                .filter(each ->
                        !each.getValue()
                                .members()
                                .equals(mgms.values().iterator().next().members()))
                .forEach(each ->
                        add(
                                each.getKey(),
                                "members differ from those of " + mgms.keySet().iterator().next()));
    }

    private void checkFsts() {
        var ids = new TreeMap<Integer, List<Path>>();
        fsts.forEach((file, fst) -> note(ids, fst.id(), file));
        ids.forEach((id, files) ->
                files.stream()
                        .skip(1)
                        .forEach(file ->
                                add(file, "id is %d, as in %s".formatted(id, files.getFirst()))));
        if (mgms.isEmpty()) {
            return;
        }
        List<String> controls =
                mgms.values().iterator().next().members().stream()
                        .map(each -> each.host() + ":" + each.control())
                        .toList();
        fsts.forEach((file, fst) -> {
            for (String control : controls) {
                if (!fst.mgms().contains(control)) {
                    add(file, "mgms lacks %s, the control port of a member".formatted(control));
                }
            }
        });
    }
}

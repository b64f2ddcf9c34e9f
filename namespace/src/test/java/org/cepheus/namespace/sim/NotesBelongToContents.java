package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.Map;
import org.cepheus.namespace.rows.Entry;

/** What is noted beside contents and files is of those that live and are marked so, and no more. */
final class NotesBelongToContents implements Invariant {
    @Override
    public void check(Step step) {
        Map<Long, Long> relocated = new HashMap<>();
        Map<Long, Long> unsettled = new HashMap<>();
        for (Entry entry : step.after().entries().values()) {
            if (entry instanceof Entry.File file && file.isRelocated()) {
                relocated.put(file.dataId(), file.inode());
            }
            if (entry instanceof Entry.File file && file.isUnsettled()) {
                unsettled.put(file.inode(), file.dataId());
            }
        }
        Step.require(
                step.after().contents().equals(relocated),
                "relocated contents are %s, noted %s",
                relocated,
                step.after().contents());
        Step.require(
                step.after().unsettled().equals(unsettled),
                "unsettled files are %s, noted %s",
                unsettled,
                step.after().unsettled());
    }
}

package org.cepheus.namespace.sim;

import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.AttributeKey;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Rows.Place;

/** No attribute outlives its inode, and a file that has some says so. */
final class AttributesBelongToInodes implements Invariant {
    @Override
    public void check(Step step) {
        State state = step.after();
        for (AttributeKey key : state.attributes()) {
            if (state.directories().containsKey(key.inode())) {
                continue;
            }
            Place place = state.places().get(key.inode());
            Step.require(place != null, "%s has no inode", key);
            if (place != null) {
                Entry entry = state.entries().get(new EntryKey(place.parent(), place.name()));
                Step.require(
                        entry instanceof Entry.File f && f.hasAttributes(),
                        "%s has attributes and no mark",
                        entry);
            }
        }
    }
}

package org.cepheus.namespace.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.quota.Charge;

/**
 * What one command adds to each quota row in the end. Only the sums are held against the limits: a
 * command that gives back as much as it takes grows nothing, in whatever order it does so.
 */
final class Bill {
    // Insertion order, because the order of changes goes into the chain hash of every replica.
    private final Map<QuotaKey, Charge> sums = new LinkedHashMap<>();

    void add(List<QuotaKey> keys, Charge charge) {
        keys.forEach(key -> sums.merge(key, charge, Charge::plus));
    }

    Map<QuotaKey, Charge> sums() {
        return sums;
    }
}

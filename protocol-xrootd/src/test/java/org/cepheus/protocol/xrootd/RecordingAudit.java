package org.cepheus.protocol.xrootd;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.Audit;

/** Remembers what was written down. */
final class RecordingAudit implements Audit {
    final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void allowed(Caller caller, String operation, String object) {
        lines.add("allowed %s %s %s".formatted(caller.identity().user(), operation, object));
    }

    @Override
    public void refused(Caller caller, String operation, String object, FsError error) {
        lines.add("refused %s %s %s".formatted(caller.identity().user(), operation, object));
    }

    @Override
    public <T> void happened(List<T> changes, Function<? super T, Deed> shown) {
        throw new AssertionError("a server of a protocol does nothing by itself");
    }
}

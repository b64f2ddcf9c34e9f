package org.cepheus.fst;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cepheus.fst.volume.Volume;

/**
 * Tells from the reads of one open file what will be read next. Who has read a whole object in
 * order gets the objects after it fetched; who jumps about gets nothing. A client with several
 * streams reads in order at several places. One lock guards it.
 */
final class ReadAhead {
    /** Places where somebody may be reading in order. */
    static final int MAX_RUNS = 16;

    /** Leaving out so little is still reading in order. */
    static final long MAX_GAP_BYTES = 64 * 1024;

    private static final class Run {
        long end;
        long readBytes;
        long fetchedTo;

        Run(long end, long readBytes) {
            this.end = end;
            this.readBytes = readBytes;
            this.fetchedTo = end;
        }

        boolean goesOnAt(long offset) {
            return offset >= end && offset - end <= MAX_GAP_BYTES;
        }
    }

    private final long sizeBytes;
    private final long objectBytes;
    private final int objectsAhead;

    /** The one that went on last is the last. */
    private final List<Run> runs = new ArrayList<>();

    ReadAhead(long sizeBytes, Volume.Striping striping) {
        this.sizeBytes = sizeBytes;
        this.objectBytes = striping.objectBytes();
        this.objectsAhead = striping.objectsAhead();
    }

    /** These bytes are asked for now: what should be fetched beside them, if anything. */
    synchronized Optional<Span> asked(long offset, long length) {
        Run run = runAt(offset);
        run.end = offset + length;
        run.readBytes += length;
        runs.add(run);
        if (run.readBytes < objectBytes) {
            return Optional.empty();
        }
        long wanted = Math.min(sizeBytes, (run.end / objectBytes + 1 + objectsAhead) * objectBytes);
        long from = Math.max(run.end, run.fetchedTo);
        boolean isWhole = wanted - from >= objectBytes || wanted == sizeBytes;
        if (!isWhole || wanted <= from) {
            return Optional.empty();
        }
        run.fetchedTo = wanted;
        return Optional.of(new Span(from, wanted - from));
    }

    /** Takes out the run that goes on there, or makes a new one in place of the oldest. */
    private Run runAt(long offset) {
        for (int i = runs.size() - 1; i >= 0; i--) {
            if (runs.get(i).goesOnAt(offset)) {
                return runs.remove(i);
            }
        }
        if (runs.size() == MAX_RUNS) {
            runs.removeFirst();
        }
        return new Run(offset, 0);
    }
}

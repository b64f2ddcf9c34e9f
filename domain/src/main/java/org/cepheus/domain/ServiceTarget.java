package org.cepheus.domain;

import org.cepheus.domain.codec.Coded;

/** An FST, or a volume wherever it is served. */
public record ServiceTarget(Kind kind, int id) {
    /** Which of the two; the code is what the formats carry. */
    public enum Kind implements Coded {
        FST(1),
        VOLUME(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    public ServiceTarget {
        if (id < 0) {
            throw new FsException(new FsError.InvalidArgument("negative id " + id));
        }
    }

    public static ServiceTarget fst(int id) {
        return new ServiceTarget(Kind.FST, id);
    }

    public static ServiceTarget volume(int id) {
        return new ServiceTarget(Kind.VOLUME, id);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case FST -> "FST " + id;
            case VOLUME -> "volume " + id;
        };
    }
}

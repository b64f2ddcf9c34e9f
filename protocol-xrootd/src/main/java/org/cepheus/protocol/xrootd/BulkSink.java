package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;

/** Where the file data behind one request's header goes, piece by piece. */
interface BulkSink {
    /** The data comes on another stream: none follows the request itself. */
    BulkSink ELSEWHERE =
            new BulkSink() {
                @Override
                public boolean isElsewhere() {
                    return true;
                }

                @Override
                public void data(ByteBuf piece) {
                    piece.release();
                }

                @Override
                public void end() {}

                @Override
                public void broken() {}
            };

    /** True if nothing will come here. */
    default boolean isElsewhere() {
        return false;
    }

    /** Takes over the buffer. */
    void data(ByteBuf piece);

    /** All of it has arrived. */
    void end();

    /** The connection ended before the rest came. */
    void broken();

    /** Drops what comes, then runs {@code after}. */
    static BulkSink dropping(Runnable after) {
        return new BulkSink() {
            @Override
            public void data(ByteBuf piece) {
                piece.release();
            }

            @Override
            public void end() {
                after.run();
            }

            @Override
            public void broken() {}
        };
    }
}

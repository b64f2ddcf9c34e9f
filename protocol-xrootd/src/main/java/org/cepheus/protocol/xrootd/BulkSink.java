package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;

/** Where the file data behind one request's header goes, piece by piece. */
interface BulkSink {
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

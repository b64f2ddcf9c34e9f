package org.cepheus.jmh.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** The few XRootD requests a load needs, as the bytes that xrdcp sends. */
final class Requests {
    private static final int HEADER = 24;
    private static final int PROTOCOL_VERSION = 0x511;
    private static final int AUTH = 3000;
    private static final int CLOSE = 3003;
    private static final int DIRLIST = 3004;
    private static final int PROTOCOL = 3006;
    private static final int LOGIN = 3007;
    private static final int MKDIR = 3008;
    private static final int OPEN = 3010;
    private static final int STAT = 3017;
    private static final int WRITE = 3019;

    /** new, update, async, retstat, as xrdcp opens an upload. */
    private static final int OPEN_NEW = 0x8 | 0x20 | 0x40 | 0x400;

    /** The same with delete instead of new, as xrdcp -f. */
    private static final int OPEN_REPLACE = 0x2 | 0x20 | 0x40 | 0x400;

    /** Each entry with its status, as xrdfs ls -l. */
    private static final int WITH_STATUS = 2;

    private Requests() {}

    /** Handshake and protocol request in one. */
    static ByteBuffer hello() {
        ByteBuffer out = ByteBuffer.allocate(20 + HEADER);
        out.putInt(12, 4).putInt(16, 2012);
        out.putShort(20 + 2, (short) PROTOCOL).putInt(20 + 4, PROTOCOL_VERSION);
        out.put(20 + 9, (byte) 3);
        return out;
    }

    static ByteBuffer login() {
        ByteBuffer out = request(LOGIN, new byte[0]);
        byte[] user = System.getProperty("user.name", "bench").getBytes(UTF_8);
        out.put(8, user, 0, Math.min(8, user.length));
        out.put(18, (byte) 0x85);
        return out;
    }

    static ByteBuffer unixCredential() {
        String user = System.getProperty("user.name", "bench");
        ByteBuffer out = request(AUTH, ("unix\0" + user + " " + user + "\0").getBytes(UTF_8));
        out.put(16, "unix".getBytes(UTF_8));
        return out;
    }

    static ByteBuffer makeDirectory(String path) {
        ByteBuffer out = request(MKDIR, path.getBytes(UTF_8));
        return out.put(4, (byte) 1).putShort(18, (short) 0755);
    }

    static ByteBuffer stat(String path) {
        return request(STAT, path.getBytes(UTF_8));
    }

    static ByteBuffer list(String path) {
        return request(DIRLIST, path.getBytes(UTF_8)).put(19, (byte) WITH_STATUS);
    }

    static ByteBuffer openNew(String pathAndOpaque) {
        ByteBuffer out = request(OPEN, pathAndOpaque.getBytes(UTF_8));
        return out.putShort(4, (short) 0644).putShort(6, (short) OPEN_NEW);
    }

    static ByteBuffer openReplace(String pathAndOpaque) {
        return openNew(pathAndOpaque).putShort(6, (short) OPEN_REPLACE);
    }

    static ByteBuffer close(int handle) {
        return request(CLOSE, new byte[0]).putInt(4, handle);
    }

    /** The header of a plain write at offset 0; the data follows. */
    static ByteBuffer writeHeader(int handle, int length) {
        return request(WRITE, new byte[0]).putInt(4, handle).putInt(20, length);
    }

    private static ByteBuffer request(int id, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(HEADER + payload.length);
        out.put(1, (byte) 1).putShort(2, (short) id).putInt(20, payload.length);
        return out.put(HEADER, payload);
    }
}

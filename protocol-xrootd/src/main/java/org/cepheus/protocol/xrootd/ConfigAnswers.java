package org.cepheus.protocol.xrootd;

import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** The answers to {@code query config}: one line for each key; an unknown key is echoed. */
final class ConfigAnswers {
    private ConfigAnswers() {}

    /** Clients separate the keys by newlines or spaces. */
    static String answer(XrootdServerConfig config, String role, String keys) {
        var lines = new StringBuilder();
        for (String key : keys.strip().split("[\\s]+", -1)) {
            lines.append(value(config, role, key)).append('\n');
        }
        return lines.toString();
    }

    private static String value(XrootdServerConfig config, String role, String key) {
        return switch (key) {
            case "role" -> role;
            case "sitename" -> config.siteName().isEmpty() ? key : config.siteName();
            case "chksum" -> "0:adler32,1:crc32c";
            case "readv_iov_max" -> Integer.toString(XrootdRequest.ReadMany.MAX_SEGMENTS);
            case "readv_ior_max" -> Integer.toString(XrootdRequest.ReadMany.MAX_SEGMENT_BYTES);
            case "bind_max" -> "0";
            default -> key;
        };
    }
}

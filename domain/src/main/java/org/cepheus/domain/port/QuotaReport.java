package org.cepheus.domain.port;

import java.util.OptionalLong;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;

/** One row of a quota node: limits, use, and what running uploads hold. */
public record QuotaReport(
        FsPath node,
        QuotaKind kind,
        String principal,
        OptionalLong limitBytes,
        OptionalLong limitFiles,
        long usedBytes,
        long usedFiles,
        long reservedBytes,
        long reservedFiles) {}

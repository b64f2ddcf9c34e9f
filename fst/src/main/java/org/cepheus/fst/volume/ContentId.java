package org.cepheus.fst.volume;

/**
 * Names one content on a volume.
 *
 * @param epoch how often the namespace had been restored when the content was made
 */
public record ContentId(long dataId, int epoch) {
    public ContentId {
        if (dataId < 0 || epoch < 0) {
            throw new IllegalArgumentException(
                    "dataId %d or epoch %d is negative".formatted(dataId, epoch));
        }
    }
}

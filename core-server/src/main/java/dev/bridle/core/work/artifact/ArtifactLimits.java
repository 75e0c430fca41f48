package dev.bridle.core.work.artifact;

import java.time.Duration;

/**
 * Limits of an artifact's content.
 *
 * @param maxBytes the maximum size in bytes; default 64 MiB
 * @param uploadTime how long an upload may take before its chunks are deleted; default one hour
 */
public record ArtifactLimits(long maxBytes, Duration uploadTime) {
  /** The defaults. */
  public static final ArtifactLimits DEFAULT = new ArtifactLimits(64L << 20, Duration.ofHours(1));

  /** Checks that both are positive. */
  public ArtifactLimits {
    if (maxBytes <= 0) {
      throw new IllegalArgumentException("maxBytes is " + maxBytes + ", expected 1 or more");
    }
    if (uploadTime.isNegative() || uploadTime.isZero()) {
      throw new IllegalArgumentException("uploadTime is " + uploadTime + ", expected more than 0");
    }
  }
}

package dev.bridle.core.work.artifact;

import java.time.Duration;

/**
 * What an artifact's content may take.
 *
 * @param maxBytes the largest content; 64 MiB
 * @param uploadTime how long an upload may take before its pieces are swept away; an hour
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

package dev.bridle.storage.layer.migration;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The history of storage formats.
 *
 * @param current the format that this release writes
 * @param oldest the oldest format that it migrates from
 * @param lastRelease for each unsupported format, the last release that migrates it
 * @param migrations one for each format from the oldest to the one before the current
 */
public record FormatHistory(
    int current, int oldest, Map<Integer, String> lastRelease, List<Migration> migrations) {
  /** The formats of this release. */
  public static final FormatHistory OURS = new FormatHistory(1, 1, Map.of(), List.of());

  /** Checks that there is a migration for each format from the oldest to the current one. */
  public FormatHistory {
    lastRelease = Map.copyOf(lastRelease);
    migrations = List.copyOf(migrations);
    for (int format = oldest; format < current; format++) {
      int from = format;
      if (migrations.stream().filter(one -> one.from() == from).count() != 1) {
        throw new IllegalArgumentException("there must be one migration from format " + format);
      }
    }
  }

  /** Returns the migration that starts from a format; empty for the current one. */
  Optional<Migration> from(int format) {
    return format == current
        ? Optional.empty()
        : migrations.stream().filter(one -> one.from() == format).findFirst();
  }

  /** Throws for a format that can't be migrated to the current one. */
  void check(int found) {
    if (found > current) {
      throw new UnsupportedFormatException(
          "The stored data has format "
              + found
              + ", and this Bridle knows formats "
              + oldest
              + " to "
              + current
              + "; use the newer Bridle that wrote it.");
    }
    if (found < oldest) {
      throw new UnsupportedFormatException(
          "The stored data has format "
              + found
              + ", and this Bridle migrates from format "
              + oldest
              + " on; start Bridle "
              + lastRelease.getOrDefault(found, "of the release that wrote it or one soon after")
              + " on it once, which brings it up to date, then this one.");
    }
  }

  /** Throws for any format but the current one. */
  void checkCurrent(int found) {
    check(found);
    if (found != current) {
      throw new UnsupportedFormatException(
          "The stored data has format "
              + found
              + ", and this Bridle works with format "
              + current
              + "; start 'bridle up' on it once, which brings it up to date.");
    }
  }
}

package dev.bridle.storage.embedded;

import dev.bridle.storage.embedded.OpenRefusedException.Reason;
import java.nio.file.Path;

/** Creates the errors for directories that can't be opened. */
final class OpenErrors {
  private static final String ACCEPT =
      " Put the lost files back or restore a backup; to go on without what is lost, start with"
          + " --accept-loss.";

  private OpenErrors() {}

  static OpenRefusedException unknownFormat(Path directory, int format) {
    return new OpenRefusedException(
        Reason.UNKNOWN_FORMAT,
        "The data directory "
            + directory
            + " has format "
            + format
            + ", and this release of Bridle reads format "
            + EngineRecords.FORMAT
            + "; open it with the release that wrote it.");
  }

  static OpenRefusedException dataMissing(Path directory, long recovered, long acknowledged) {
    return new OpenRefusedException(
        Reason.ACKNOWLEDGED_DATA_MISSING,
        "The data directory "
            + directory
            + " has lost acknowledged commits: versions "
            + (recovered + 1)
            + " to "
            + acknowledged
            + " are missing."
            + ACCEPT);
  }

  static OpenRefusedException markMissing(Path directory, long recovered) {
    return new OpenRefusedException(
        Reason.ACKNOWLEDGED_DATA_MISSING, mark(directory, recovered, "is missing"));
  }

  static OpenRefusedException markDamaged(Path directory, long recovered) {
    return new OpenRefusedException(
        Reason.ACKNOWLEDGED_DATA_MISSING, mark(directory, recovered, "is damaged"));
  }

  private static String mark(Path directory, long recovered, String what) {
    return "The data directory "
        + directory
        + " holds commits up to version "
        + recovered
        + ", but its file 'acknowledged' "
        + what
        + ", so it is unknown whether more were acknowledged. Put the file back; to go on with"
        + " what is there, start with --accept-loss.";
  }

  static OpenRefusedException damaged(Path directory, String damage) {
    return new OpenRefusedException(
        Reason.DAMAGED,
        "Files of the data directory "
            + directory
            + " are missing or damaged ("
            + damage
            + ")."
            + ACCEPT);
  }

  static OpenRefusedException nothingLeft(Path directory, String damage) {
    return new OpenRefusedException(
        Reason.DAMAGED,
        "Nothing can be recovered from the data directory "
            + directory
            + " ("
            + damage
            + "), so --accept-loss does not help. Restore a backup, or name another directory.");
  }
}

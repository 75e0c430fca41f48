package dev.bridle.storage.fdb;

import java.util.Optional;

/** Says which of the client's native libraries can't be loaded, and what to install where. */
final class MissingLibrary {
  private static final String PROPERTY = "FDB_LIBRARY_PATH_FDB_C";

  private MissingLibrary() {}

  static String sentence(LinkageError failure) {
    String looked =
        Optional.ofNullable(System.getProperty(PROPERTY))
            .map(path -> "at " + path + ", which -D" + PROPERTY + " names")
            .orElse("in the system's library folders and those of LD_LIBRARY_PATH");
    return "FoundationDB's client library libfdb_c can't be loaded; it was looked for "
        + looked
        + ". Install the package foundationdb-clients 7.3 (or 7.4), or name the file with the Java"
        + " option -D"
        + PROPERTY
        + "=/path/libfdb_c.so (in BRIDLE_JAVA_OPTS), or its folder in LD_LIBRARY_PATH. The reason: "
        + reason(failure);
  }

  private static String reason(LinkageError failure) {
    return failure instanceof NoClassDefFoundError
        ? "an earlier attempt of this process failed."
        : String.valueOf(failure.getMessage());
  }
}

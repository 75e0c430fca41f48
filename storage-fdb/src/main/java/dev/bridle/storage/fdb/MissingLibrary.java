package dev.bridle.storage.fdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Describes why the client's native library can't be loaded, and what to install. */
final class MissingLibrary {
  private static final String PROPERTY = "FDB_LIBRARY_PATH_FDB_C";

  private MissingLibrary() {}

  /**
   * Rejects a configured library that does not exist: the client would silently look elsewhere.
   *
   * @throws FdbUnavailableException if there is no such file
   */
  static void checkNamed() {
    Optional<String> named = Optional.ofNullable(System.getProperty(PROPERTY));
    if (named.isPresent() && !Files.isReadable(Path.of(named.get()))) {
      throw new FdbUnavailableException(
          sentence("at " + named.get() + ", which -D" + PROPERTY + " names", "there is no file."));
    }
  }

  static String sentence(LinkageError failure) {
    return sentence(
        Optional.ofNullable(System.getProperty(PROPERTY))
                .map(path -> "at " + path + ", which -D" + PROPERTY + " names, ")
                .orElse("")
            + "in the system's library folders and those of LD_LIBRARY_PATH",
        reason(failure));
  }

  private static String sentence(String looked, String reason) {
    return "FoundationDB's client library libfdb_c can't be loaded; it was looked for "
        + looked
        + ". Install the package foundationdb-clients 7.3 (or 7.4), or name the file with the Java"
        + " option -D"
        + PROPERTY
        + "=/path/libfdb_c.so (in BRIDLE_JAVA_OPTS), or its folder in LD_LIBRARY_PATH. The reason: "
        + reason;
  }

  private static String reason(LinkageError failure) {
    return failure instanceof NoClassDefFoundError
        ? "an earlier attempt of this process failed."
        : String.valueOf(failure.getMessage());
  }
}

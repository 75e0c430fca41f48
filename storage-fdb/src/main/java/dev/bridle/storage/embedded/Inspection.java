package dev.bridle.storage.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * The state of a data directory, inspected read-only: a normal opening would truncate what it can't
 * recover, and with it the chance to restore lost files.
 *
 * @param recovered the version of the last batch; empty if nothing was ever written
 * @param acknowledged the version of the acknowledged mark; empty if there is none
 * @param damage why the files can't be opened; empty if they can
 */
record Inspection(OptionalLong recovered, OptionalLong acknowledged, String damage) {
  /**
   * The maximum plausible gap between a mark and its files, about a year of commits; beyond it the
   * mark is damaged.
   */
  static final long MAX_MISSING = 1L << 40;

  static Inspection of(Path directory, Path files, DatabaseConfig config) throws IOException {
    OptionalLong mark = AcknowledgedMark.read(directory);
    if (Files.exists(files.resolve("CURRENT"))) {
      return opened(directory, files, mark, config);
    }
    // The mark is created as 0 before the first file, so 0 means that the first opening was
    // interrupted.
    boolean hadFiles = !(mark.isPresent() && mark.getAsLong() == 0) && holdsFiles(files);
    String damage = hadFiles ? files.getFileName() + "/CURRENT is missing" : "";
    return new Inspection(OptionalLong.empty(), mark, damage);
  }

  private static Inspection opened(
      Path directory, Path files, OptionalLong mark, DatabaseConfig config) {
    try (RocksDB readOnly = RocksDB.openReadOnly(config.options(), files.toString())) {
      int format = EngineRecords.format(readOnly);
      if (format != EngineRecords.FORMAT) {
        throw OpenErrors.unknownFormat(directory, format);
      }
      return new Inspection(EngineRecords.version(readOnly), mark, "");
    } catch (RocksDBException e) {
      return new Inspection(OptionalLong.empty(), mark, e.getMessage());
    }
  }

  private static boolean holdsFiles(Path files) throws IOException {
    if (!Files.isDirectory(files)) {
      return false;
    }
    try (Stream<Path> names = Files.list(files)) {
      return names
          .map(file -> file.getFileName().toString())
          .anyMatch(name -> name.startsWith("MANIFEST-") || name.endsWith(".sst"));
    }
  }

  /** Rejects a directory with missing or damaged data, unless the loss is accepted. */
  void check(Path directory, boolean acceptLoss) {
    if (acceptLoss) {
      return;
    }
    if (isDamaged()) {
      throw OpenErrors.damaged(directory, damage);
    }
    if (acknowledged.isEmpty() && recovered.isPresent()) {
      throw OpenErrors.markMissing(directory, recovered.getAsLong());
    }
    if (markIsDamaged()) {
      throw OpenErrors.markDamaged(directory, recovered.orElse(0));
    }
    if (missing() > 0) {
      throw OpenErrors.dataMissing(directory, recovered.orElse(0), acknowledged.orElse(0));
    }
  }

  boolean isDamaged() {
    return !damage.isEmpty();
  }

  /** Returns how many acknowledged batches are missing. */
  long missing() {
    return Math.max(0, acknowledged.orElse(0) - recovered.orElse(0));
  }

  /** Returns the version to continue from: not below any acknowledged version. */
  long next() {
    long found = recovered.orElse(0);
    return markIsDamaged() ? found + MAX_MISSING : found + missing();
  }

  private boolean markIsDamaged() {
    long mark = acknowledged.orElse(0);
    return mark < 0 || mark - recovered.orElse(0) > MAX_MISSING;
  }
}

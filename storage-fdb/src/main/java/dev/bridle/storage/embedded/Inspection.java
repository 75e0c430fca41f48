package dev.bridle.storage.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * What a data directory holds, found without writing: opening for real would cut off what it could
 * not recover, and with it the evidence and the chance of putting lost files back.
 *
 * @param recovered the version of the last batch; empty where nothing was ever written
 * @param acknowledged the version on the mark; empty where there is no mark
 * @param damage what keeps the files from being opened; empty where nothing does
 */
record Inspection(OptionalLong recovered, OptionalLong acknowledged, String damage) {
  /**
   * More batches than this are not between a mark and its files: it would take a year of commits.
   */
  static final long MAX_MISSING = 1L << 40;

  static Inspection of(Path directory, Path files, DatabaseConfig config) throws IOException {
    OptionalLong mark = Tripwire.read(directory);
    if (Files.exists(files.resolve("CURRENT"))) {
      return opened(directory, files, mark, config);
    }
    // A mark of 0 is made before the first file is: then the very first opening was cut short.
    boolean hadFiles = !(mark.isPresent() && mark.getAsLong() == 0) && holdsFiles(files);
    String damage = hadFiles ? files.getFileName() + "/CURRENT is missing" : "";
    return new Inspection(OptionalLong.empty(), mark, damage);
  }

  private static Inspection opened(
      Path directory, Path files, OptionalLong mark, DatabaseConfig config) {
    try (RocksDB readOnly = RocksDB.openReadOnly(config.options(), files.toString())) {
      int format = EngineRecords.format(readOnly);
      if (format != EngineRecords.FORMAT) {
        throw Refusals.unknownFormat(directory, format);
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

  /** Refuses what is not whole, unless its loss is accepted. */
  void check(Path directory, boolean acceptLoss) {
    if (acceptLoss) {
      return;
    }
    if (isDamaged()) {
      throw Refusals.damaged(directory, damage);
    }
    if (acknowledged.isEmpty() && recovered.isPresent()) {
      throw Refusals.markMissing(directory, recovered.getAsLong());
    }
    if (markIsDamaged()) {
      throw Refusals.markDamaged(directory, recovered.orElse(0));
    }
    if (missing() > 0) {
      throw Refusals.dataMissing(directory, recovered.orElse(0), acknowledged.orElse(0));
    }
  }

  boolean isDamaged() {
    return !damage.isEmpty();
  }

  /** Returns how many acknowledged batches are not there. */
  long missing() {
    return Math.max(0, acknowledged.orElse(0) - recovered.orElse(0));
  }

  /** Returns the version to go on from: above all that were acknowledged. */
  long next() {
    long found = recovered.orElse(0);
    return markIsDamaged() ? found + MAX_MISSING : found + missing();
  }

  private boolean markIsDamaged() {
    long mark = acknowledged.orElse(0);
    return mark < 0 || mark - recovered.orElse(0) > MAX_MISSING;
  }
}

package dev.bridle.storage.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers the consistent part of a directory whose files are partly missing or damaged, after the
 * operator has accepted the loss. The original files are kept aside as hard links, which take no
 * space.
 */
final class Salvage {
  private static final Logger LOG = LoggerFactory.getLogger(Salvage.class);

  private Salvage() {}

  static Inspection run(Path directory, Path files, DatabaseConfig config, Inspection damaged)
      throws IOException, RocksDBException {
    Path aside = keepAside(directory, files);
    config.options().setBestEffortsRecovery(true);
    OptionalLong version;
    try (RocksDB rocks = RocksDB.open(config.options(), files.toString())) {
      version = EngineRecords.version(rocks);
    } catch (RocksDBException e) {
      putBack(files, aside);
      throw OpenErrors.nothingLeft(directory, damaged.damage());
    } finally {
      config.options().setBestEffortsRecovery(false);
    }
    if (version.isEmpty()) {
      putBack(files, aside);
      throw OpenErrors.nothingLeft(directory, damaged.damage());
    }
    LOG.warn(
        "{} was damaged ({}) and was recovered up to version {}; the original files are kept in {}",
        directory,
        damaged.damage(),
        version.getAsLong(),
        aside);
    return new Inspection(version, damaged.acknowledged(), "");
  }

  private static Path keepAside(Path directory, Path files) throws IOException {
    int number = 1;
    while (Files.exists(directory.resolve("damaged-" + number))) {
      number++;
    }
    Path aside = Files.createDirectory(directory.resolve("damaged-" + number));
    for (Path file : list(files)) {
      if (Files.isRegularFile(file)) {
        link(file, aside);
      }
    }
    return aside;
  }

  private static void putBack(Path files, Path aside) throws IOException {
    for (Path file : list(files)) {
      Files.delete(file);
    }
    for (Path file : list(aside)) {
      Files.move(file, files.resolve(file.getFileName()));
    }
    Files.delete(aside);
  }

  /** SST files are immutable and are linked; other files may change and are copied. */
  private static void link(Path file, Path aside) throws IOException {
    Path other = aside.resolve(file.getFileName());
    if (file.toString().endsWith(".sst")) {
      Files.createLink(other, file);
    } else {
      Files.copy(file, other);
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}

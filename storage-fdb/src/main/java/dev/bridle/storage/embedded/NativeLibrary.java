package dev.bridle.storage.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB's native library, unpacked once: where {@code -Dbridle.native} says, which the `bridle`
 * script does, or else into the data directory. RocksDB itself would unpack 17 MB into the
 * temporary directory at every start, and leave them there if the process is killed.
 */
final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String FOLDER = "bridle.native";

  private static boolean loaded;

  private NativeLibrary() {}

  /** Loads the library, once for each process. Called with the directory's lock held. */
  static synchronized void load(Path dataDirectory) {
    if (loaded) {
      return;
    }
    Stream<Path> folders =
        Stream.concat(
            Stream.ofNullable(System.getProperty(FOLDER)).map(Path::of),
            Stream.of(dataDirectory.resolve("native")));
    if (folders.noneMatch(NativeLibrary::loadFrom)) {
      RocksDB.loadLibrary();
    }
    loaded = true;
  }

  private static boolean loadFrom(Path folder) {
    try {
      RocksDB.loadLibrary(List.of(unpack(folder.toAbsolutePath()).toString()));
      return true;
    } catch (IOException | UnsatisfiedLinkError e) {
      LOG.debug("The native library can't be loaded from {}", folder, e);
      return false;
    }
  }

  /** Unpacks the library unless it is there already, and returns the directory it lies in. */
  static Path unpack(Path folder) throws IOException {
    String name = Environment.getJniLibraryFileName("rocksdb");
    URL resource = RocksDB.class.getClassLoader().getResource(name);
    if (resource == null || !(resource.openConnection() instanceof JarURLConnection packed)) {
      throw new IOException("no library " + name + " in a jar");
    }
    Path directory = folder.resolve(Long.toHexString(packed.getJarEntry().getCrc()));
    // RocksDB adds "jni" twice when it looks for the library by its path.
    Path library = directory.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
    if (!Files.exists(library) || Files.size(library) != packed.getJarEntry().getSize()) {
      Files.createDirectories(directory);
      Path unpacked = Files.createTempFile(directory, name, ".part");
      try (InputStream in = packed.getInputStream()) {
        Files.copy(in, unpacked, StandardCopyOption.REPLACE_EXISTING);
        Files.move(unpacked, library, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(unpacked);
      }
    }
    return directory;
  }
}

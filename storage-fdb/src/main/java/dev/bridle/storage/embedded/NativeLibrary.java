package dev.bridle.storage.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB's native library, unpacked once into the data directory. RocksDB itself would unpack 17
 * MB into the temporary directory at every start, and leave them there if the process is killed.
 */
final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

  private static boolean loaded;

  private NativeLibrary() {}

  /** Loads the library, once for each process. Called with the directory's lock held. */
  static synchronized void load(Path dataDirectory) {
    if (loaded) {
      return;
    }
    try {
      RocksDB.loadLibrary(List.of(unpack(dataDirectory.toAbsolutePath()).toString()));
    } catch (IOException | UnsatisfiedLinkError e) {
      LOG.debug("The native library can't be loaded from {}", dataDirectory, e);
      RocksDB.loadLibrary();
    }
    loaded = true;
  }

  private static Path unpack(Path dataDirectory) throws IOException {
    String name = Environment.getJniLibraryFileName("rocksdb");
    URL resource = RocksDB.class.getClassLoader().getResource(name);
    if (resource == null || !(resource.openConnection() instanceof JarURLConnection packed)) {
      throw new IOException("no library " + name + " in a jar");
    }
    String checksum = Long.toHexString(packed.getJarEntry().getCrc());
    Path directory = Files.createDirectories(dataDirectory.resolve("native").resolve(checksum));
    // RocksDB adds "jni" twice when it looks for the library by its path.
    Path library = directory.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
    if (!Files.exists(library) || Files.size(library) != packed.getJarEntry().getSize()) {
      Path unpacked = directory.resolve(name + ".part");
      try (InputStream in = packed.getInputStream()) {
        Files.copy(in, unpacked, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.move(unpacked, library, StandardCopyOption.ATOMIC_MOVE);
    }
    return directory;
  }
}

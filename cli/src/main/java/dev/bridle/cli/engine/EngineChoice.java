package dev.bridle.cli.engine;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.embedded.InMemoryStore;
import dev.bridle.storage.fdb.FdbOptions;
import dev.bridle.storage.fdb.FdbStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A storage engine and its options. A data directory keeps the engine that it was first used with.
 */
public sealed interface EngineChoice {
  /** The default key prefix, for an installation with its own cluster. */
  String KEY_PREFIX = "bridle";

  /**
   * Opens the store of a data directory.
   *
   * @throws CommandFailed if the directory belongs to another engine
   * @throws dev.bridle.storage.embedded.OpenRefusedException if a directory can't be opened
   * @throws dev.bridle.storage.fdb.FdbUnavailableException if a cluster can't be used
   * @throws IOException if the directory's own files can't be read or written
   */
  KeyValueStore open(Path dataDir) throws IOException;

  /** Returns whether other processes may open the same store. */
  boolean shared();

  /** Returns whether opening the store also locks the data directory. */
  default boolean locksDataDir() {
    return false;
  }

  /** Returns whether the store may already contain data; false if it always starts empty. */
  default boolean mayHoldData(Path dataDir) {
    return true;
  }

  /** Returns a short description of the engine. */
  String described();

  /** Returns the name of the engine, as in {@code --storage}. */
  String name();

  /** Returns the engine that a data directory was used with; embedded for a new directory. */
  static EngineChoice of(Path dataDir) throws IOException {
    Optional<EngineFile> file = EngineFile.read(dataDir);
    return file.isPresent()
        ? cluster(Path.of(file.get().clusterFile()), file.get().keyPrefix())
        : new Embedded(EmbeddedOptions.DEFAULT);
  }

  /** Returns whether a data directory holds an embedded store. */
  static boolean isEmbedded(Path dataDir) {
    return Files.exists(dataDir.resolve("rocksdb"));
  }

  /** Returns a cluster with a key prefix, which is terminated by a zero byte. */
  static EngineChoice cluster(Path clusterFile, String keyPrefix) {
    byte[] text = keyPrefix.getBytes(StandardCharsets.UTF_8);
    // The terminator ensures that no prefix is a prefix of another.
    byte[] prefix = Arrays.copyOf(text, text.length + 1);
    return new Cluster(FdbOptions.of(clusterFile).withPrefix(prefix), keyPrefix);
  }

  /**
   * The engine in the data directory itself, for one process.
   *
   * @param options the options of the store
   */
  record Embedded(EmbeddedOptions options) implements EngineChoice {
    @Override
    public KeyValueStore open(Path dataDir) throws IOException {
      Optional<EngineFile> file = EngineFile.read(dataDir);
      if (file.isPresent()) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            "The data of "
                + dataDir
                + " is stored in a cluster. Start with --storage fdb --cluster-file "
                + file.get().clusterFile()
                + ", or choose another --data-dir.");
      }
      return EmbeddedStore.open(dataDir, options);
    }

    @Override
    public boolean mayHoldData(Path dataDir) {
      return EngineChoice.isEmbedded(dataDir);
    }

    @Override
    public boolean shared() {
      return false;
    }

    @Override
    public boolean locksDataDir() {
      return true;
    }

    @Override
    public String described() {
      return "embedded";
    }

    @Override
    public String name() {
      return "embedded";
    }
  }

  /** The memory of this process; data is lost when it ends, except the server's own files. */
  record Memory() implements EngineChoice {
    @Override
    public KeyValueStore open(Path dataDir) throws IOException {
      Optional<EngineFile> file = EngineFile.read(dataDir);
      if (file.isPresent() || EngineChoice.isEmbedded(dataDir)) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            "The directory "
                + dataDir
                + " contains persistent data. With --storage memory, choose another --data-dir"
                + " for the server's own files.");
      }
      Files.createDirectories(dataDir);
      return InMemoryStore.open();
    }

    @Override
    public boolean mayHoldData(Path dataDir) {
      return false;
    }

    @Override
    public boolean shared() {
      return false;
    }

    @Override
    public String described() {
      return "memory; all data is lost when the server stops";
    }

    @Override
    public String name() {
      return "memory";
    }
  }

  /**
   * A FoundationDB cluster, for many processes.
   *
   * @param options the options of the store
   * @param keyPrefix the prefix of its keys, as text
   */
  record Cluster(FdbOptions options, String keyPrefix) implements EngineChoice {
    @Override
    public KeyValueStore open(Path dataDir) throws IOException {
      if (EngineChoice.isEmbedded(dataDir)) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            "The directory "
                + dataDir
                + " contains an embedded store. Start without --storage fdb, or choose another"
                + " --data-dir for this server's own files.");
      }
      Optional<EngineFile> file = EngineFile.read(dataDir);
      if (file.isPresent() && !file.get().keyPrefix().equals(keyPrefix)) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            "The directory "
                + dataDir
                + " was used with --key-prefix '"
                + file.get().keyPrefix()
                + "', not '"
                + keyPrefix
                + "'. Use the original prefix, or choose another --data-dir.");
      }
      FdbStore store = FdbStore.open(options);
      try {
        Files.createDirectories(dataDir);
        new EngineFile(options.clusterFile().toAbsolutePath().normalize().toString(), keyPrefix)
            .write(dataDir);
        return store;
      } catch (IOException e) {
        store.close();
        throw e;
      }
    }

    @Override
    public boolean shared() {
      return true;
    }

    @Override
    public String described() {
      return "FoundationDB, cluster file " + options.clusterFile() + ", key prefix " + keyPrefix;
    }

    @Override
    public String name() {
      return "fdb";
    }
  }
}

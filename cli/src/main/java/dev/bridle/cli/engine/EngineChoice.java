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

/** An engine and how it is opened. A directory stays with the engine that it was first used for. */
public sealed interface EngineChoice {
  /** What the keys of an installation begin with that has a cluster to itself. */
  String KEY_PREFIX = "bridle";

  /**
   * Opens the store of a data directory.
   *
   * @throws CommandFailed where the directory belongs to another engine
   * @throws dev.bridle.storage.embedded.OpenRefusedException where a directory can't be opened
   * @throws dev.bridle.storage.fdb.FdbUnavailableException where a cluster can't be used
   * @throws IOException where the directory's own files can't be read or written
   */
  KeyValueStore open(Path dataDir) throws IOException;

  /** Returns whether other processes may have the same store open. */
  boolean shared();

  /** Returns whether opening the store also takes the lock of the data directory. */
  default boolean locksDataDir() {
    return false;
  }

  /** Returns whether there can be data already; false where opening the store begins with none. */
  default boolean mayHoldData(Path dataDir) {
    return true;
  }

  /** Returns the engine in a few words. */
  String described();

  /** Returns the name of the engine, as {@code --storage} has it. */
  String name();

  /** Returns the engine that a data directory has been used for; embedded where it is new. */
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

  /** Returns a cluster under a key prefix, which a zero byte ends. */
  static EngineChoice cluster(Path clusterFile, String keyPrefix) {
    byte[] text = keyPrefix.getBytes(StandardCharsets.UTF_8);
    // So that no installation's prefix begins with another's.
    byte[] prefix = Arrays.copyOf(text, text.length + 1);
    return new Cluster(FdbOptions.of(clusterFile).withPrefix(prefix), keyPrefix);
  }

  /**
   * The engine in the data directory itself, for one process.
   *
   * @param options how it is opened
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
                + " lies on a cluster; start with --storage fdb --cluster-file "
                + file.get().clusterFile()
                + ", or name another --data-dir.");
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

  /** The memory of this process; nothing outlives it but the server's own files. */
  record Memory() implements EngineChoice {
    @Override
    public KeyValueStore open(Path dataDir) throws IOException {
      Optional<EngineFile> file = EngineFile.read(dataDir);
      if (file.isPresent() || EngineChoice.isEmbedded(dataDir)) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            "The directory "
                + dataDir
                + " belongs to data that is kept; with --storage memory name another --data-dir"
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
      return "memory; all of it is lost when the server ends";
    }

    @Override
    public String name() {
      return "memory";
    }
  }

  /**
   * A FoundationDB cluster, for many processes.
   *
   * @param options how it is opened
   * @param keyPrefix the text of the prefix of its keys
   */
  record Cluster(FdbOptions options, String keyPrefix) implements EngineChoice {
    @Override
    public KeyValueStore open(Path dataDir) throws IOException {
      if (EngineChoice.isEmbedded(dataDir)) {
        throw new CommandFailed(
            ExitCodes.USAGE,
            "The directory "
                + dataDir
                + " holds an embedded store; start without --storage fdb, or name another"
                + " --data-dir for what this server keeps beside the cluster.");
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
                + "'; give that one, or name another --data-dir.");
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

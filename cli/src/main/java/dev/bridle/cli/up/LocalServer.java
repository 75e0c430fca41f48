package dev.bridle.cli.up;

import dev.bridle.cli.admin.OperatorKey;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.cli.masterkey.MasterKeyFile;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.core.work.workspace.WorkspaceRootException;
import dev.bridle.gateway.HttpGateway;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.embedded.DirectoryLock;
import io.grpc.Channel;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * All parts in this process: the store, the core, the gateway and, where wanted, the demo agent. A
 * directory has one of these at a time.
 */
public final class LocalServer implements AutoCloseable {
  private final Deque<AutoCloseable> parts;
  private final EngineChoice storage;
  private final KeyValueStore store;
  private final CompletableFuture<StoreException> storageFailure;
  private final CoreServer core;
  private final HttpGateway gateway;

  private LocalServer(
      Deque<AutoCloseable> parts,
      EngineChoice storage,
      KeyValueStore store,
      CompletableFuture<StoreException> storageFailure,
      CoreServer core,
      HttpGateway gateway) {
    this.parts = parts;
    this.storage = storage;
    this.store = store;
    this.storageFailure = storageFailure;
    this.core = core;
    this.gateway = gateway;
  }

  /**
   * Starts all parts and returns once they listen. What did start is stopped again where another
   * part does not.
   *
   * @throws dev.bridle.storage.embedded.OpenRefusedException where the directory can't be opened
   * @throws dev.bridle.storage.fdb.FdbUnavailableException where the cluster can't be used
   * @throws IOException where its own files can't be written
   */
  public static LocalServer start(LocalServerOptions options) throws IOException {
    return start(options, core -> {});
  }

  /**
   * The same with a check of the core, before it is reached over HTTP and before agents run. What
   * the check throws ends the start.
   */
  static LocalServer start(LocalServerOptions options, Consumer<Channel> check) throws IOException {
    Deque<AutoCloseable> parts = new ArrayDeque<>();
    try {
      KeyValueStore store = options.storage().open(options.dataDir());
      parts.push(store);
      if (!options.storage().locksDataDir()) {
        parts.push(DirectoryLock.take(options.dataDir()));
      }
      needApart(options);
      CoreServer core = CoreServer.start(options.around().apply(store), core(options, store));
      parts.push(core);
      check.accept(core.channel());
      core.admit(OperatorKey.of(options.dataDir()));
      if (options.demoAgent()) {
        DemoWorkers workers = new DemoWorkers(core);
        parts.push(workers);
        core.onTenants(workers);
      }
      HttpGateway gateway = HttpGateway.start(core.channel(), options.gateway());
      parts.push(gateway);
      core.reachedAt(options.gateway().publicUrl().orElse(gateway.baseUrl()).toString());
      ServerFile.here(options.core().host(), core.grpcPort(), gateway.baseUrl())
          .write(options.dataDir());
      parts.push(() -> ServerFile.remove(options.dataDir()));
      return new LocalServer(
          parts,
          options.storage(),
          store,
          store.failure().whenComplete((e, no) -> core.storageFailed()),
          core,
          gateway);
    } catch (IOException | RuntimeException e) {
      closeAll(parts, e);
      throw e;
    }
  }

  /** What a workspace reaches must never be the server's own files. */
  private static void needApart(LocalServerOptions options) throws IOException {
    Optional<Path> root = options.core().workspaceRoot().filter(Files::isDirectory);
    if (root.isEmpty()) {
      return;
    }
    Path folders = root.get().toRealPath();
    Path data = options.dataDir().toRealPath();
    if (folders.startsWith(data) || data.startsWith(folders)) {
      throw new WorkspaceRootException(
          "The workspace root "
              + folders
              + " and the data directory "
              + data
              + " lie in one another; workspaces would reach the server's own files.");
    }
  }

  private static CoreOptions core(LocalServerOptions options, KeyValueStore store)
      throws IOException {
    boolean shared = options.storage().shared();
    CoreOptions own =
        options.demoAgent() ? options.core().withSkills(DemoSkill.ON_CARD) : options.core();
    CoreOptions core = shared ? own.withSharedStorage() : own;
    return MasterKeyFile.open(options.masterKeyFile(), options.dataDir(), shared, store)
        .map(key -> core.withAccess(core.access().withMasterKey(key)))
        .orElse(core);
  }

  /** Returns the URL that the gateway listens on. */
  public URI baseUrl() {
    return gateway.baseUrl();
  }

  /** Returns the port of the gRPC services. */
  public int grpcPort() {
    return core.grpcPort();
  }

  /** Returns which engine keeps the data. */
  EngineChoice storage() {
    return storage;
  }

  /** Returns a channel to the core, without credentials. */
  public Channel channel() {
    return core.channel();
  }

  /** Completes when the store has failed, after which this server is only to be closed. */
  CompletableFuture<StoreException> storageFailure() {
    return storageFailure.copy();
  }

  /** Returns the store beneath, for tests that do what retention does. */
  KeyValueStore store() {
    return store;
  }

  /** Returns the secret of the owner's key if this start was the directory's first. */
  public Optional<String> firstKey() {
    return core.firstKey();
  }

  /**
   * Stops without losing anything: takes no more requests, ends the streams, lets what runs finish
   * or gives it back, then closes the store.
   */
  @Override
  public void close() {
    IllegalStateException failed = new IllegalStateException("not every part stopped");
    closeAll(parts, failed);
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }

  private static void closeAll(Deque<AutoCloseable> parts, Exception outer) {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        outer.addSuppressed(e);
      }
    }
  }
}

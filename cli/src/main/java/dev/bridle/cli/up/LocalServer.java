package dev.bridle.cli.up;

import dev.bridle.cli.admin.OperatorKey;
import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.engine.EngineChoice;
import dev.bridle.cli.masterkey.MasterKeyFile;
import dev.bridle.cli.tls.ServerCertificate;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.core.work.workspace.WorkspaceRootException;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.HttpGateway;
import dev.bridle.harpgateway.HarpGateway;
import dev.bridle.harpgateway.HarpGatewayOptions;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.embedded.DirectoryLock;
import io.grpc.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Runs the store, the core, the gateway and, optionally, the demo agent in this process. Only one
 * server at a time can run on a data directory.
 */
public final class LocalServer implements AutoCloseable {
  private final Deque<AutoCloseable> components;
  private final EngineChoice storage;
  private final KeyValueStore store;
  private final CompletableFuture<StoreException> storageFailure;
  private final CoreServer core;
  private final HttpGateway gateway;
  private final Optional<HarpGateway> harp;

  private LocalServer(
      Deque<AutoCloseable> components,
      EngineChoice storage,
      KeyValueStore store,
      CompletableFuture<StoreException> storageFailure,
      CoreServer core,
      HttpGateway gateway,
      Optional<HarpGateway> harp) {
    this.components = components;
    this.storage = storage;
    this.store = store;
    this.storageFailure = storageFailure;
    this.core = core;
    this.gateway = gateway;
    this.harp = harp;
  }

  /**
   * Starts all components and returns when they listen. If one fails to start, stops the ones
   * already started.
   *
   * @throws dev.bridle.storage.embedded.OpenRefusedException if the directory can't be opened
   * @throws dev.bridle.storage.fdb.FdbUnavailableException if the cluster can't be used
   * @throws IOException if the server's own files can't be written
   */
  public static LocalServer start(LocalServerOptions options) throws IOException {
    return start(options, core -> {});
  }

  /**
   * Starts a server with a check of the core that runs before HTTP and agents start. An exception
   * of the check aborts the start.
   */
  static LocalServer start(LocalServerOptions options, Consumer<Channel> check) throws IOException {
    Deque<AutoCloseable> components = new ArrayDeque<>();
    options.certificate().ifPresent(components::push);
    options.harp().flatMap(HarpServing::certificate).ifPresent(components::push);
    try {
      Optional<HarpGatewayOptions> harpOptions = harp(options);
      // Removed last: while there is a file and its process, nobody starts another server.
      components.push(() -> ServerFile.removeOwn(options.dataDir()));
      KeyValueStore store = options.storage().open(options.dataDir());
      components.push(store);
      if (!options.storage().locksDataDir()) {
        components.push(DirectoryLock.take(options.dataDir()));
      }
      requireSeparateRoots(options);
      CoreServer core = CoreServer.start(options.around().apply(store), core(options, store));
      components.push(core);
      check.accept(core.channel());
      core.admit(OperatorKey.of(options.dataDir()));
      if (options.demoAgent()) {
        employ(core, DemoWorkers.of(core), components);
        employ(core, DemoWorkers.ofReplays(core), components);
      }
      employ(core, ReplayWorkers.of(core), components);
      employ(core, ReplayWorkers.ofSessions(core), components);
      HttpGateway gateway = HttpGateway.start(core.channel(), gateway(options));
      components.push(gateway);
      Optional<HarpGateway> harp =
          harpOptions.map(served -> HarpGateway.start(core.channel(), served));
      harp.ifPresent(components::push);
      core.reachedAt(options.gateway().listener().publicUrl().orElse(gateway.baseUrl()).toString());
      harp.filter(served -> harpOptions.orElseThrow().approvePage())
          .ifPresent(served -> core.phonesReach(phoneUrl(harpOptions.orElseThrow(), served)));
      ServerFile.here(
              options.core().listener().host(),
              core.grpcPort(),
              gateway.baseUrl(),
              options.certificate().map(LocalServer::described))
          .withHarp(harp.map(HarpGateway::baseUrl))
          .write(options.dataDir());
      options.certificate().ifPresent(certificate -> keepDescribed(certificate, options.dataDir()));
      return new LocalServer(
          components,
          options.storage(),
          store,
          store.failure().whenComplete((e, no) -> core.storageFailed()),
          core,
          gateway,
          harp);
    } catch (IOException | RuntimeException e) {
      closeAll(components, e);
      throw e;
    }
  }

  private static URI phoneUrl(HarpGatewayOptions options, HarpGateway served) {
    return options.listener().publicUrl().orElse(served.baseUrl());
  }

  private static void employ(
      CoreServer core, TenantWorkers workers, Deque<AutoCloseable> components) {
    components.push(workers);
    core.onTenants(workers);
  }

  /** Rejects a workspace root from which workspaces could access the server's own files. */
  private static void requireSeparateRoots(LocalServerOptions options) throws IOException {
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
              + " overlap, so that workspaces could access the server's own files. Choose"
              + " separate directories.");
    }
  }

  private static GatewayOptions gateway(LocalServerOptions options) {
    return options
        .certificate()
        .map(is -> options.gateway().withListener(on -> on.withCertificate(is.keys())))
        .orElse(options.gateway());
  }

  private static Optional<HarpGatewayOptions> harp(LocalServerOptions options) {
    return options.harp().map(harp -> harp(gateway(options), harp));
  }

  private static HarpGatewayOptions harp(GatewayOptions gateway, HarpServing harp) {
    HarpGatewayOptions served =
        HarpGatewayOptions.defaults()
            .withListener(harp.beside(gateway.listener()))
            .withMaxPendingBytes(gateway.maxPendingBytes())
            .withMaxUnsentBytes(harp.maxUnsentBytes())
            .withPingInterval(harp.pingInterval())
            .withSlowReaderTimeout(gateway.slowReaderTimeout());
    return harp.page() ? served.withApprovePage() : served;
  }

  private static ServerFile.Certificate described(ServerCertificate certificate) {
    return new ServerFile.Certificate(
        certificate.file().toAbsolutePath().toString(), certificate.sha256());
  }

  /** Commands on this machine trust the certificate that the server's file names. */
  private static void keepDescribed(ServerCertificate certificate, Path dataDir) {
    Runnable describe =
        () -> {
          try {
            ServerFile.replaceCertificate(dataDir, described(certificate));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    certificate.onReplaced(describe);
    describe.run(); // It may have been replaced since the file was written.
  }

  private static CoreOptions core(LocalServerOptions options, KeyValueStore store)
      throws IOException {
    boolean shared = options.storage().shared();
    CoreOptions own =
        options.demoAgent() ? options.core().withSkills(DemoSkill.ON_CARD) : options.core();
    CoreOptions onStore = shared ? own.withSharedStorage() : own;
    CoreOptions core =
        options.certificate().map(is -> onStore.withCertificate(is.keys())).orElse(onStore);
    return MasterKeyFile.open(options.masterKeyFile(), options.dataDir(), shared, store)
        .map(key -> core.withAccess(core.access().withMasterKey(key)))
        .orElse(core);
  }

  /** Returns the URL that the gateway listens on. */
  public URI baseUrl() {
    return gateway.baseUrl();
  }

  /** Returns the URL that HARP is served at, if it is. */
  public Optional<URI> harpUrl() {
    return harp.map(HarpGateway::baseUrl);
  }

  /** Returns all ports that it listens on. */
  public List<Integer> ports() {
    List<Integer> ports = new ArrayList<>(List.of(gateway.port(), core.grpcPort()));
    harp.ifPresent(served -> ports.add(served.port()));
    return ports;
  }

  /** Returns the port of the gRPC services. */
  public int grpcPort() {
    return core.grpcPort();
  }

  /**
   * Makes a bearer secret of the default tenant for a part of this process, which is kept in memory
   * only.
   */
  public String credential(String actor, Set<String> scopes) {
    return core.processCredential(Tenants.DEFAULT, actor, scopes);
  }

  /** Makes a bearer secret as {@link #credential(String, Set)} does, of any tenant. */
  String credential(String tenant, String actor, Set<String> scopes) {
    return core.processCredential(tenant, actor, scopes);
  }

  /** Ends what a bearer secret allows. */
  void endCredential(String secret) {
    core.endProcessCredential(secret);
  }

  /** Has a part that uses this server stop before it; to be called before anything stops it. */
  void stopsAfter(AutoCloseable part) {
    components.push(part);
  }

  /** Returns how long nothing has used this server. */
  Duration unused() {
    return core.unused();
  }

  /** Returns the storage engine. */
  EngineChoice storage() {
    return storage;
  }

  /** Returns a channel to the core, without credentials. */
  public Channel channel() {
    return core.channel();
  }

  /** Completes when the store has failed; the caller must then close this server. */
  CompletableFuture<StoreException> storageFailure() {
    return storageFailure.copy();
  }

  /** Returns the store, for tests that delete events as retention does. */
  KeyValueStore store() {
    return store;
  }

  /** Returns the secret of the owner's API key if this was the first start on the directory. */
  public Optional<String> firstKey() {
    return core.firstKey();
  }

  /**
   * Stops gracefully: says so in its health, rejects new requests, ends the streams, lets running
   * tasks complete or returns them to the queue, then closes the store.
   */
  @Override
  public void close() {
    IllegalStateException failed = new IllegalStateException("not every component stopped");
    core.draining();
    closeAll(components, failed);
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }

  private static void closeAll(Deque<AutoCloseable> components, Exception outer) {
    while (!components.isEmpty()) {
      try {
        components.pop().close();
      } catch (Exception e) {
        outer.addSuppressed(e);
      }
    }
  }
}

package dev.bridle.core.server;

import dev.bridle.connection.ConnectionRegistry;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.call.BoundedRequests;
import dev.bridle.core.kernel.call.CallInterceptor;
import dev.bridle.core.kernel.call.CallsUnderWay;
import dev.bridle.core.kernel.call.PendingBytes;
import dev.bridle.core.kernel.call.UnreadResponses;
import dev.bridle.core.kernel.coalesce.CoalescingTask;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.error.ReadableRequests;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.validate.RequestCheck;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.Channel;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerInterceptor;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running core: its services over a store, carried by an in-process server for the gateways
 * beside it and by a listener for everybody else. The store stays the caller's to close, after
 * this.
 */
public final class CoreServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CoreServer.class);
  private static final String OPERATOR = "operator";

  /** An approval request holds the ciphertext of an artifact twice. */
  private static final int MAX_RESPONSE_BYTES = 8 << 20;

  private static final Duration OPEN_CALL_TIME = Duration.ofSeconds(30);
  private static final Duration CUT_OFF_TIME = Duration.ofSeconds(2);

  private final CoreOptions options;
  private final CoreExecutors executors;
  private final Services services;
  private final Server inProcess;
  private final GrpcListener network;
  private final Server listener;
  private final SpreadChannel channel;
  private final Optional<String> firstKey;
  private final TenantWatch tenants = new TenantWatch();
  private final CallsUnderWay calls = new CallsUnderWay(CoreServer::waitsForReplays);
  private final BoundedRequests arriving;
  private final UnreadResponses unread;
  private final KeyValueStore store;

  private CoreServer(KeyValueStore store, CoreOptions options, CoreResources resources, Clock clock)
      throws IOException {
    this.options = options;
    this.store = store;
    RequestCheck check = new RequestCheck();
    this.arriving =
        new BoundedRequests(
            new PendingBytes(options.listener().maxPendingBytes(), GrpcListener.MAX_MESSAGE_BYTES),
            OPEN_CALL_TIME);
    this.executors =
        new CoreExecutors(options.listener().threads(), options.listener().maxQueuedCalls());
    this.services =
        new Services(
            store,
            options,
            CoreEnvironment.real(clock, executors.background(), options.storage().exclusive()),
            resources,
            tenants::made);
    this.firstKey =
        options.storage().makeFirstKey() ? services.tenants().ensureDefault() : Optional.empty();
    String name = InProcessServerBuilder.generateName();
    // The gateway has bounds of its own.
    this.inProcess = build(InProcessServerBuilder.forName(name), check);
    this.network = new GrpcListener(options.listener());
    this.unread =
        new UnreadResponses(
            new PendingBytes(options.listener().maxPendingBytes(), MAX_RESPONSE_BYTES),
            network.connections()::close);
    this.listener =
        build(network.builder().addStreamTracerFactory(arriving), check, arriving, unread, network);
    this.channel = SpreadChannel.to(name, MAX_RESPONSE_BYTES);
  }

  /**
   * @param inner interceptors that run with the caller known
   */
  private Server build(ServerBuilder<?> builder, RequestCheck check, ServerInterceptor... inner) {
    services.all().forEach(one -> builder.addService(ReadableRequests.of(one)));
    for (ServerInterceptor each : inner) {
      builder.intercept(each);
    }
    return builder
        .executor(executors.calls())
        .intercept(calls)
        .intercept(new CallInterceptor(services.access().all(), check))
        .build();
  }

  private static boolean waitsForReplays(Caller caller, String method) {
    return caller.inProcess()
        && caller.actor().equals(OwnAgents.REPLAY)
        && method.equals(WorkerServiceGrpc.getLeaseTasksMethod().getBareMethodName());
  }

  /** Starts a core over a store. */
  public static CoreServer start(KeyValueStore store, CoreOptions options) {
    return start(store, options, Clock.systemUTC());
  }

  /** Starts a core over a store, with its time from {@code clock}. */
  public static CoreServer start(KeyValueStore store, CoreOptions options, Clock clock) {
    return start(store, options, CoreResources::standard, clock);
  }

  /** Starts a core over a store that serves these resources from their definitions. */
  static CoreServer start(
      KeyValueStore store, CoreOptions options, CoreResources resources, Clock clock) {
    try {
      CoreServer server = new CoreServer(store, options, resources, clock);
      server.open();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The gRPC listener can't open "
              + options.listener().host()
              + ":"
              + options.listener().grpcPort()
              + "; choose another with --grpc-port (0: any free one).",
          e);
    }
  }

  private void open() throws IOException {
    try {
      listener.start();
      inProcess.start();
    } catch (IOException e) {
      network.close();
      executors.close();
      services.close();
      throw e;
    }
    services.start(executors.timer(), executors.sweeps());
    services.state().ready();
  }

  /** Returns a channel to this core that crosses no socket. */
  public Channel channel() {
    return channel;
  }

  /** Returns the port that the gRPC listener is bound to. */
  public int grpcPort() {
    return listener.getPort();
  }

  /** Returns the secret of the key that this very first start made. */
  public Optional<String> firstKey() {
    return firstKey;
  }

  /** Says under which URL clients reach this server: who its tokens are issued by and for. */
  public void reachedAt(String publicUrl) {
    services.access().issuer().reachedAt(publicUrl);
  }

  /** Says under which URL phones reach the HARP gateway beside this core, and its page. */
  public void phonesReach(URI harpUrl) {
    services.phoneAddress().reachedAt(harpUrl);
  }

  /** Makes a bearer secret for a part of this process, which ends with it. */
  public String processCredential(String tenant, String actor, Set<String> scopes) {
    return services.access().ofProcess().make(tenant, actor, scopes);
  }

  /**
   * Lets whoever sends {@code secret} administer this server: the content of the operator's
   * credential file.
   */
  public void admit(String secret) {
    services
        .access()
        .ofProcess()
        .admit(
            secret, new Caller("", OPERATOR, Set.of("admin:write", "admin:read"), Set.of(), false));
  }

  /** Ends a secret that was made for a part of this process. */
  public void endProcessCredential(String secret) {
    services.access().ofProcess().forget(secret);
  }

  /** Notifies a listener of each existing tenant, and from now on of created and deleted ones. */
  public void onTenants(TenantListener listener) {
    boolean isFirst = tenants.listen(listener);
    lookForTenants();
    if (isFirst) {
      keepLookingForTenants();
    }
  }

  private void keepLookingForTenants() {
    CoalescingTask looks =
        new CoalescingTask(
            executors.background(),
            () -> {
              lookForTenants();
              return false;
            },
            failure -> FailureLog.warn(log, "Looking for tenants failed and goes on.", failure));
    Periodic.every(
        executors.timer(), options.retentionInterval(), "Looking for tenants", looks::schedule);
  }

  private void lookForTenants() {
    tenants.look(store, services.context().installation(), services.tenants());
  }

  /** Says that the store has failed: from now on the server is unwell and takes no new work. */
  public void storageFailed() {
    services.state().storageFailed();
  }

  /**
   * Says that the server is about to stop, while its gateways still answer: its health is {@code
   * draining} from now on, so that load balancers choose another one.
   */
  public void draining() {
    services.state().draining();
  }

  /** Returns the kinds of records that this core stores. */
  Catalog catalog() {
    return services.catalog();
  }

  /** Returns how long nobody has called this core, nor held a stream of it open. */
  public Duration unused() {
    return calls.unused();
  }

  /** Returns how many bytes of requests are under way on the gRPC listener. */
  long pendingBytes() {
    return arriving.pendingBytes();
  }

  /** Returns how many bytes of responses wait for clients of the gRPC listener to read them. */
  long unreadBytes() {
    return unread.unreadBytes();
  }

  /** Returns the connections of the gRPC listener. */
  ConnectionRegistry connections() {
    return network.connections();
  }

  /** Returns how many readers of events were cut off since they did not read. */
  public long cutOffReaders() {
    return services.streams().cutOff();
  }

  /** Returns how many event streams are open. */
  public int openStreams() {
    return services.streams().open();
  }

  /** Stops taking calls, ends streams, and lets calls under way end. */
  @Override
  public void close() {
    draining();
    services.endStreams();
    listener.shutdown();
    inProcess.shutdown();
    channel.shutdown();
    awaitEnd(listener, options.listener().drainTime());
    awaitEnd(inProcess, options.listener().drainTime());
    listener.shutdownNow();
    // Calls that are cut off end on the threads that are stopped next.
    awaitEnd(listener, CUT_OFF_TIME);
    network.close();
    arriving.stop();
    inProcess.shutdownNow();
    channel.shutdownNow();
    executors.close();
    services.close();
  }

  private static void awaitEnd(Server server, Duration most) {
    try {
      server.awaitTermination(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.bridle.core.server;

import dev.bridle.core.integrations.webhook.WebhookOptions;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.call.CallInterceptor;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.outbound.OutboundCalls;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.core.kernel.validate.RequestCheck;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.storage.KeyValueStore;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * All services of a core on the thread of whoever calls them, its background included: the same
 * calls make the same operations on the store, in the same order.
 */
public final class SteppedCore implements AutoCloseable {
  /** The secret of the worker that replays tasks, which is a part of the server. */
  public static final String REPLAYER = "stepped-replayer";

  private static final String SECRET = "stepped";
  private static final String APPROVER = "stepped-approver";
  private static final String OPERATOR = "stepped-operator";
  private static final String TENANT = "default";

  /** More than chance can lose. */
  private static final int MAX_ATTEMPTS = 100;

  private static final RequestCheck CHECK = new RequestCheck();

  private final ManualThreads threads = new ManualThreads();
  private final Services services;
  private final Server server;
  private final ManagedChannel channel;

  /** Starts over a store, prepared where it is empty; nobody outside takes anything. */
  public SteppedCore(
      KeyValueStore store, Clock clock, LongSupplier nanoTime, RandomGenerator random) {
    this(store, clock, nanoTime, random, new Nobody());
  }

  /** Starts over a store, which is prepared where it is empty. */
  public SteppedCore(
      KeyValueStore store,
      Clock clock,
      LongSupplier nanoTime,
      RandomGenerator random,
      OutboundCalls outside) {
    this.services =
        new Services(
            store,
            CoreOptions.DEFAULT
                .withTasks(TaskOptions.DEFAULT.withMaxAttempts(MAX_ATTEMPTS))
                // Watches are told on a thread of the store.
                .withWebhooks(WebhookOptions.DEFAULT.withoutWatching())
                .withAccess(AccessOptions.NONE.withMasterKey(TestCore.MASTER)),
            new CoreEnvironment(clock, nanoTime, random, threads, true, real -> outside),
            CoreResources::standard,
            tenant -> {});
    var unused = services.tenants().ensureDefault();
    services
        .access()
        .ofProcess()
        .admit(SECRET, new Caller(TENANT, "ada", Set.of("*"), Set.of(), false));
    services
        .access()
        .ofProcess()
        .admit(APPROVER, new Caller(TENANT, "bob", Set.of("*"), Set.of(), false));
    services
        .access()
        .ofProcess()
        .admit(
            OPERATOR,
            new Caller("", "operator", Set.of("admin:write", "admin:read"), Set.of(), false));
    services
        .access()
        .ofProcess()
        .admit(
            REPLAYER,
            new Caller(TENANT, OwnAgents.REPLAY, Set.of("workers:lease"), Set.of(), true));
    services.start(threads.timer(), threads.timer());
    String name = InProcessServerBuilder.generateName();
    InProcessServerBuilder builder = InProcessServerBuilder.forName(name).directExecutor();
    services.all().forEach(builder::addService);
    this.server = builder.intercept(new CallInterceptor(services.access().all(), CHECK)).build();
    this.channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    try {
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a channel of the owner. */
  public Channel owner() {
    return as(SECRET);
  }

  /** Returns a channel of an operator. */
  public Channel operator() {
    return as(OPERATOR);
  }

  /** Returns a channel that acts with a bearer secret. */
  public Channel as(String secret) {
    return with("authorization", "Bearer " + secret, channel);
  }

  /** Returns a channel of the owner that sends an idempotency key. */
  public Channel withKey(String idempotencyKey) {
    return with("idempotency-key", idempotencyKey, owner());
  }

  /** Returns a channel of who answers what the owner's workers ask, with an idempotency key. */
  public Channel approver(String idempotencyKey) {
    return with("idempotency-key", idempotencyKey, as(APPROVER));
  }

  /** Runs what the core wants to do in its background now. */
  public void drain() {
    threads.drain();
  }

  /** Runs once whatever the core does from time to time. */
  public void tick() {
    threads.tick();
  }

  /** Is gone at once, as a process that is killed. */
  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
    services.close();
  }

  private static Channel with(String header, String value, Channel on) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of(header, Metadata.ASCII_STRING_MARSHALLER), value);
    return ClientInterceptors.intercept(on, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Fails all that is sent. */
  private static final class Nobody implements OutboundCalls {
    @Override
    public CompletableFuture<OutboundResponse> send(OutboundRequest request) {
      return send(request, 0);
    }

    @Override
    public CompletableFuture<OutboundResponse> send(OutboundRequest request, int maxAnswerBytes) {
      return CompletableFuture.completedFuture(
          new OutboundResponse(503, Map.of(), new byte[0], false));
    }
  }
}

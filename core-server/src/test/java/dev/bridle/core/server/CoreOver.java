package dev.bridle.core.server;

import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.storage.KeyValueStore;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A core over a store that is somebody else's, so that several can stand over one. */
public final class CoreOver implements AutoCloseable {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String OPERATOR = "the operator's secret";

  private final CoreServer core;

  private CoreOver(CoreServer core) {
    this.core = core;
    core.admit(OPERATOR);
  }

  /** Starts a core that shares the store, with short times, and looks for old events often. */
  public static CoreOver start(KeyValueStore store, Clock clock) {
    return start(store, clock, TestCore.SHORT);
  }

  /** Starts a core that shares the store, and looks for old events often. */
  public static CoreOver start(KeyValueStore store, Clock clock, TaskOptions tasks) {
    return start(store, clock, options -> options.withTasks(tasks));
  }

  /** Starts a core that shares the store, with options changed. */
  public static CoreOver start(
      KeyValueStore store, Clock clock, UnaryOperator<CoreOptions> change) {
    CoreOptions options =
        CoreOptions.DEFAULT
            .withListener("127.0.0.1", 0)
            .withTasks(TestCore.SHORT)
            .withSharedStorage()
            .withAccess(AccessOptions.NONE.withMasterKey(TestCore.MASTER))
            .withRetentionInterval(Duration.ofMillis(20));
    return new CoreOver(CoreServer.start(store, change.apply(options), clock));
  }

  public CoreServer core() {
    return core;
  }

  /** Returns a channel of somebody of a tenant who may do all. */
  public Channel of(String tenant) {
    return as(core.processCredential(tenant, "ada", Set.of("*")));
  }

  /** Returns a channel of somebody else of a tenant, who answers what workers of the first ask. */
  public Channel approver(String tenant) {
    return as(core.processCredential(tenant, "bob", Set.of("*")));
  }

  /** Returns a channel of the first with an idempotency key on each call. */
  public Channel withKey(String tenant, String idempotencyKey) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), idempotencyKey);
    return ClientInterceptors.intercept(
        of(tenant), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  public Channel operator() {
    return as(OPERATOR);
  }

  /** Returns a channel that acts with a bearer secret. */
  public Channel as(String secret) {
    return as(core, secret);
  }

  static Channel as(CoreServer core, String secret) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + secret);
    return ClientInterceptors.intercept(
        core.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  @Override
  public void close() {
    core.close();
  }
}

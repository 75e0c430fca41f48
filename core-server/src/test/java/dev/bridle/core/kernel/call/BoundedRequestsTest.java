package dev.bridle.core.kernel.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.core.kernel.auth.Caller;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that begin, at a real listener, and do not end. */
@Timeout(180)
final class BoundedRequestsTest {
  private static final int MESSAGE = 4 << 20;
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final MethodDescriptor.Marshaller<InputStream> AS_IT_IS =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(InputStream value) {
          return value;
        }

        @Override
        public InputStream parse(InputStream stream) {
          try {
            return new ByteArrayInputStream(stream.readAllBytes());
          } catch (IOException e) {
            throw Status.INTERNAL.withCause(e).asRuntimeException();
          }
        }
      };

  private static final MethodDescriptor<InputStream, InputStream> METHOD =
      MethodDescriptor.newBuilder(AS_IT_IS, AS_IT_IS)
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("test.Service/Take")
          .build();

  private static final Metadata.Key<String> TENANT =
      Metadata.Key.of("tenant", Metadata.ASCII_STRING_MARSHALLER);

  private final PendingBytes pending = new PendingBytes(32L << 20, MESSAGE);
  private final List<HalfRequest> calls = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private BoundedRequests bounded = new BoundedRequests(pending, LONG);
  private Server server;

  /** Knows a call's tenant by a header. */
  private static final class Tenants implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return Optional.ofNullable(headers.get(TENANT))
          .map(tenant -> new Caller(tenant, "actor", Set.of(), Set.of(), false))
          .map(caller -> caller.run(() -> next.startCall(call, headers)))
          .orElseGet(() -> next.startCall(call, headers));
    }
  }

  private void start() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder("test.Service")
                    .addMethod(
                        METHOD,
                        ServerCalls.asyncUnaryCall(
                            (request, response) -> {
                              response.onNext(new ByteArrayInputStream(new byte[1]));
                              response.onCompleted();
                            }))
                    .build())
            .addStreamTracerFactory(bounded)
            .intercept(bounded)
            .intercept(new Tenants())
            .build()
            .start();
  }

  @AfterEach
  void stop() throws IOException {
    for (HalfRequest call : calls) {
      call.close();
    }
    channels.forEach(ManagedChannel::shutdownNow);
    if (server != null) {
      server.shutdownNow();
    }
    bounded.stop();
  }

  private ManagedChannel connect() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
    channels.add(channel);
    return channel;
  }

  private HalfRequest begin() throws IOException {
    HalfRequest call = HalfRequest.begin(server.getPort(), "/test.Service/Take", MESSAGE);
    calls.add(call);
    return call;
  }

  private byte[] answer() throws IOException {
    Metadata headers = new Metadata();
    headers.put(TENANT, "other");
    return ClientCalls.blockingUnaryCall(
            ClientInterceptors.intercept(
                connect(), MetadataUtils.newAttachHeadersInterceptor(headers)),
            METHOD,
            CallOptions.DEFAULT,
            new ByteArrayInputStream(new byte[1000]))
        .readAllBytes();
  }

  @Test
  void callsWithoutACredentialThatDoNotEndHoldAQuarterOfTheBytesAtMost() throws Exception {
    start();
    for (int i = 0; i < 12; i++) {
      begin();
    }

    await().until(() -> closed() >= 10);
    assertThat(pending.used()).isPositive().isLessThanOrEqualTo(8L << 20);
    assertThat(answer()).as("there is room for others").hasSize(1);
  }

  private long closed() {
    return calls.stream().filter(call -> call.closed().isDone()).count();
  }

  @Test
  void aRequestThatEndsIsAnsweredAndGivesItsRoomBack() throws Exception {
    start();
    HalfRequest call = begin();
    await().until(() -> pending.used() >= MESSAGE - 1);
    call.end();

    assertThat(call.closed().get(60, TimeUnit.SECONDS)).isEqualTo("answered");
    await().until(() -> pending.used() == 0);
  }

  @Test
  void aConnectionThatIsLostGivesItsRoomBack() throws Exception {
    start();
    HalfRequest call = begin();
    await().until(() -> pending.used() >= MESSAGE - 1);
    call.close();

    await().until(() -> pending.used() == 0);
  }

  @Test
  void aCallWithoutACredentialThatDoesNotSendItsRequestInTimeIsClosed() throws Exception {
    bounded.stop();
    bounded = new BoundedRequests(pending, Duration.ofMillis(300));
    start();

    assertThat(begin().closed().get(60, TimeUnit.SECONDS)).isEqualTo("answered");
    await().until(() -> pending.used() == 0);
    assertThat(answer()).hasSize(1);
  }

  @Test
  void whatCameBeforeItsTenantWasKnownCountsForTheTenantAndForNobodyElse() {
    ServerStreamTracer tracer = bounded.newServerStreamTracer("test.Service/Take", new Metadata());
    tracer.inboundWireSize(MESSAGE);
    NotedCall call = begun(tracer, "one");
    assertThat(pending.take(PendingBytes.NOBODY, 8L << 20)).isTrue();
    assertThat(pending.take("one", 12L << 20)).isTrue();
    assertThat(pending.take("one", 1)).isFalse();
    tracer.streamClosed(Status.OK);

    assertThat(call.closed).isEmpty();
    assertThat(pending.used()).isEqualTo(20L << 20);
    assertThat(pending.take("one", MESSAGE)).isTrue();
  }

  @Test
  void aCallOfWhichTooMuchCameBeforeItBeganIsClosedAtOnce() {
    assertThat(pending.take("one", 16L << 20)).isTrue();
    ServerStreamTracer tracer = bounded.newServerStreamTracer("test.Service/Take", new Metadata());
    tracer.inboundWireSize(1);

    assertUnavailable(begun(tracer, "one"));
    assertThat(pending.used()).isEqualTo(16L << 20);
  }

  @Test
  void aCallWithACredentialDoesNotDependOnWhatThoseWithoutOneHaveTaken() {
    assertThat(pending.take(PendingBytes.NOBODY, 8L << 20)).isTrue();
    ServerStreamTracer tracer = bounded.newServerStreamTracer("test.Service/Take", new Metadata());
    tracer.inboundWireSize(MESSAGE);

    assertThat(begun(tracer, "one").closed).isEmpty();
    assertThat(pending.used()).isEqualTo(12L << 20);
    tracer.streamClosed(Status.OK);
    assertThat(pending.used()).isEqualTo(8L << 20);
  }

  @Test
  void callsOfHeadersAloneTakeAQuarterOfTheBytesAtMost() {
    int most = (8 << 20) / BoundedRequests.HEAD_BYTES;
    List<ServerStreamTracer> tracers = new ArrayList<>();
    for (int call = 0; call < most; call++) {
      ServerStreamTracer tracer =
          bounded.newServerStreamTracer("test.Service/Take", new Metadata());
      tracers.add(tracer);
      assertThat(begunWithoutCredential(tracer).closed).isEmpty();
    }
    ServerStreamTracer beyond = bounded.newServerStreamTracer("test.Service/Take", new Metadata());

    assertUnavailable(begunWithoutCredential(beyond));
    assertThat(pending.used()).isEqualTo(8L << 20);
    tracers.get(0).streamClosed(Status.OK);
    assertThat(
            begunWithoutCredential(
                    bounded.newServerStreamTracer("test.Service/Take", new Metadata()))
                .closed)
        .isEmpty();
  }

  @Test
  void aHeadCountsUntilItsCallerIsKnown() {
    ServerStreamTracer tracer = bounded.newServerStreamTracer("test.Service/Take", new Metadata());
    assertThat(pending.used()).isEqualTo(BoundedRequests.HEAD_BYTES);

    assertThat(begun(tracer, "one").closed).isEmpty();
    assertThat(pending.used()).isZero();
  }

  private static void assertUnavailable(NotedCall call) {
    assertThat(call.closed)
        .hasValueSatisfying(
            status -> assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE));
  }

  @Test
  void smallFramesCountForWhatTheyKeepInMemory() {
    ServerStreamTracer tracer = bounded.newServerStreamTracer("test.Service/Take", new Metadata());
    for (int frame = 0; frame < (8 << 20) / BoundedRequests.READ_BYTES; frame++) {
      tracer.inboundWireSize(1);
    }

    assertThat(pending.take(PendingBytes.NOBODY, 1)).isFalse();
    tracer.streamClosed(Status.OK);
    assertThat(pending.used()).isZero();
  }

  private NotedCall begunWithoutCredential(ServerStreamTracer tracer) {
    return begun(tracer, new Metadata());
  }

  private NotedCall begun(ServerStreamTracer tracer, String tenant) {
    Metadata headers = new Metadata();
    headers.put(TENANT, tenant);
    return begun(tracer, headers);
  }

  private NotedCall begun(ServerStreamTracer tracer, Metadata headers) {
    NotedCall call = new NotedCall();
    tracer
        .filterContext(Context.ROOT)
        .run(
            () -> {
              var unused =
                  new Tenants()
                      .interceptCall(
                          call,
                          headers,
                          (one, given) ->
                              bounded.interceptCall(one, given, (next, more) -> new Ignored<>()));
            });
    return call;
  }

  /** A service that does nothing with what it receives. */
  private static final class Ignored<Q> extends ServerCall.Listener<Q> {}

  /** A call that keeps how it was closed. */
  private static final class NotedCall extends ServerCall<InputStream, InputStream> {
    private Optional<Status> closed = Optional.empty();

    @Override
    public void request(int numMessages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(InputStream message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      closed = Optional.of(status);
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<InputStream, InputStream> getMethodDescriptor() {
      return METHOD;
    }
  }

  @Test
  void oneTenantLeavesRoomForOthers() {
    assertThat(pending.take("one", 16L << 20)).isTrue();
    assertThat(pending.take("one", 1)).isFalse();
    assertThat(pending.take(PendingBytes.NOBODY, 8L << 20)).isTrue();
    assertThat(pending.take(PendingBytes.NOBODY, 1)).isFalse();
    assertThat(pending.take("two", 8L << 20)).isTrue();
    assertThat(pending.take("two", 1)).as("all is taken").isFalse();
    pending.giveBack("one", 16L << 20);
    assertThat(pending.take("two", 8L << 20)).isTrue();
    assertThat(pending.used()).isEqualTo(24L << 20);
  }
}

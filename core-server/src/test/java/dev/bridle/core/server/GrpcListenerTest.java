package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.connection.ConnectionLimits;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.event.v1.StreamEventsRequest;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections to a real listener by clients that have no credential. */
@Timeout(180)
final class GrpcListenerTest {
  private static final String OPEN_METHOD = "/bridle.discovery.v1.DiscoveryService/GetHealth";
  private static final Duration LONG = Duration.ofMinutes(10);

  /** Logs each call that is refused with a stack trace. A reference keeps its level. */
  private static final Logger TRANSPORT = Logger.getLogger("io.grpc.netty.NettyServerHandler");

  @TempDir private Path directory;

  private final List<RawConnection> raw = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();

  @BeforeAll
  static void silenceTransport() {
    TRANSPORT.setLevel(Level.OFF);
  }

  @AfterAll
  static void restoreTransport() {
    TRANSPORT.setLevel(null);
  }

  private TestCore core;

  /** A core that stops waits for calls under way. */
  @AfterEach
  void disconnectAndStop() throws IOException {
    disconnect();
    channels.forEach(ManagedChannel::shutdownNow);
    core.close();
  }

  private void disconnect() throws IOException {
    for (RawConnection each : raw) {
      each.close();
    }
  }

  private void start(int maxWaiting, Duration firstCallTime) {
    core =
        TestCore.start(
            directory,
            options ->
                options.withConnections(
                    new ConnectionLimits(100, 100, maxWaiting, maxWaiting, firstCallTime)));
  }

  private RawConnection connect() throws IOException {
    RawConnection connection = RawConnection.open(core.core().grpcPort());
    raw.add(connection);
    return connection;
  }

  /** Connects as the owner, and returns once a call was answered. */
  private ManagedChannel authenticated() {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + core.key());
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", core.core().grpcPort())
            .usePlaintext()
            .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
            .build();
    channels.add(channel);
    // A machine that is slow may not make the first call in time, and connects again.
    await().ignoreExceptions().until(() -> isAnswered(channel));
    return channel;
  }

  private static boolean isAnswered(ManagedChannel channel) {
    return EventServiceGrpc.newBlockingStub(channel)
        .listEvents(ListEventsRequest.getDefaultInstance())
        .hasPage();
  }

  /** Becomes true when a channel loses its connection. */
  private static AtomicBoolean lossOf(ManagedChannel channel) {
    AtomicBoolean isLost = new AtomicBoolean();
    channel.notifyWhenStateChanged(ConnectivityState.READY, () -> isLost.set(true));
    return isLost;
  }

  @Test
  void connectionsWithoutAnAuthenticatedCallAreClosedAfterTheirTime() throws Exception {
    start(100, Duration.ofSeconds(2));
    ManagedChannel client = authenticated();
    AtomicBoolean isLost = lossOf(client);
    for (int i = 0; i < 10; i++) {
      connect();
    }
    raw.get(0).beginCalls(OPEN_METHOD, 1);

    for (RawConnection each : raw) {
      each.closed().get(120, TimeUnit.SECONDS);
    }
    await().until(() -> core.core().connections().openConnections() == 1);
    assertThat(isAnswered(client)).isTrue();
    assertThat(isLost).as("the connection of the authenticated client").isFalse();
  }

  @Test
  void connectionsBeyondTheBoundAreClosedAtOnce() throws Exception {
    start(5, LONG);
    ManagedChannel client = authenticated();
    for (int i = 0; i < 8; i++) {
      connect();
    }

    await().until(() -> raw.stream().filter(each -> each.closed().isDone()).count() == 3);
    assertThat(core.core().connections().waitingConnections()).isEqualTo(5);
    assertThat(isAnswered(client)).isTrue();
    disconnect();
    assertThat(isAnswered(authenticated())).as("there is room again").isTrue();
  }

  @Test
  void callsOfHeadersAloneAreBoundedAndOthersAreAnswered() throws Exception {
    int connections = 10;
    int calls = 100;
    start(100, LONG);
    ManagedChannel client = authenticated();
    for (int i = 0; i < connections; i++) {
      connect().beginCalls(OPEN_METHOD, calls);
    }

    int mostOpen = 512;
    await()
        .until(
            () ->
                core.core().pendingBytes() == 8 << 20
                    && endedCalls() == connections * calls - mostOpen);
    assertThat(isAnswered(client)).isTrue();
    assertThat(isAnswered(authenticated())).as("a new connection").isTrue();
  }

  private int endedCalls() {
    return raw.stream().mapToInt(RawConnection::endedCalls).sum();
  }

  @Test
  void aConnectionWithoutACallerHasFewOpenCalls() throws Exception {
    start(100, LONG);
    RawConnection connection = connect();
    connection.beginCalls(OPEN_METHOD, 100);

    await()
        .until(() -> connection.endedCalls() >= 100 - GrpcListener.MAX_CALLS_BEFORE_AUTHENTICATION);
  }

  @Test
  void anAuthenticatedConnectionHasAsManyCallsAsAWorkerNeeds() {
    int streams = 3 * GrpcListener.MAX_CALLS_BEFORE_AUTHENTICATION;
    start(100, LONG);
    ManagedChannel client = authenticated();
    for (int i = 0; i < streams; i++) {
      EventServiceGrpc.newStub(client)
          .streamEvents(StreamEventsRequest.getDefaultInstance(), new Ignored());
    }

    await().until(() -> core.core().openStreams() == streams);
    assertThat(core.core().connections().openConnections()).isEqualTo(1);
  }

  private static final class Ignored implements StreamObserver<EventFrame> {
    @Override
    public void onNext(EventFrame frame) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}

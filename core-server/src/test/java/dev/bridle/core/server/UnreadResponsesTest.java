package dev.bridle.core.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.event.v1.StreamSessionEventsRequest;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.ListSessionMessagesRequest;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.worker.v1.LeaseHello;
import dev.bridle.worker.v1.LeaseTasksRequest;
import dev.bridle.worker.v1.LeaseTasksResponse;
import dev.bridle.worker.v1.WorkerServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the gRPC listener that do not read what they have asked for. */
@Timeout(180)
final class UnreadResponsesTest {
  private static final long MOST = 8 << 20;
  private static final String LARGE = "x".repeat(900_000);

  @TempDir private Path directory;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private TestCore core;
  private String session;

  @BeforeEach
  void start() {
    core = TestCore.start(directory, options -> options.withMaxPendingBytes(MOST));
    session = core.newSession();
  }

  @AfterEach
  void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    core.close();
  }

  /** Connects as a client that takes next to nothing which no call has asked for. */
  private ManagedChannel connect() {
    return connect(
        builder ->
            builder
                .initialFlowControlWindow(1)
                .flowControlWindow(1024)
                .maxInboundMessageSize(16 << 20));
  }

  private ManagedChannel connect(UnaryOperator<NettyChannelBuilder> change) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + core.key());
    ManagedChannel channel =
        change
            .apply(
                NettyChannelBuilder.forAddress("127.0.0.1", core.core().grpcPort()).usePlaintext())
            .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
            .build();
    channels.add(channel);
    return channel;
  }

  /** A call that sends its request and reads as many messages as it is asked to. */
  private static final class Unread<Q, R> extends ClientCall.Listener<R> {
    private final ClientCall<Q, R> call;
    private final BlockingQueue<Status> ended = new LinkedBlockingQueue<>();
    private final AtomicInteger received = new AtomicInteger();

    Unread(ManagedChannel channel, MethodDescriptor<Q, R> method) {
      call = channel.newCall(method, CallOptions.DEFAULT);
      call.start(this, new Metadata());
    }

    static <Q, R> Unread<Q, R> asked(
        ManagedChannel channel, MethodDescriptor<Q, R> method, Q request) {
      Unread<Q, R> unread = new Unread<>(channel, method);
      unread.call.sendMessage(request);
      unread.call.halfClose();
      return unread;
    }

    @Override
    public void onMessage(R message) {
      received.incrementAndGet();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ended.add(status);
    }
  }

  private long unread() {
    long now = core.core().unreadBytes();
    assertThat(now).isLessThanOrEqualTo(MOST);
    return now;
  }

  private void append(int messages) {
    for (int i = 0; i < messages; i++) {
      var unused =
          MessageServiceGrpc.newBlockingStub(core.owner())
              .appendSessionMessage(
                  AppendSessionMessageRequest.newBuilder()
                      .setSessionId(session)
                      .setMessage(TestCore.answer("", LARGE).getMessage())
                      .build());
    }
  }

  private boolean isServed() {
    return EventServiceGrpc.newBlockingStub(connect(UnaryOperator.identity()))
        .listEvents(ListEventsRequest.newBuilder().setLimit(1).build())
        .hasPage();
  }

  private void isCutAndForgotten(List<Unread<?, ?>> calls) {
    await()
        .atMost(2, TimeUnit.MINUTES)
        .until(() -> unread() >= 0 && calls.stream().anyMatch(call -> !call.ended.isEmpty()));
    assertThat(
            calls.stream()
                .flatMap(call -> Optional.ofNullable(call.ended.peek()).stream())
                .map(Status::getCode))
        .containsOnly(Status.Code.UNAVAILABLE);
    assertThat(isServed()).isTrue();
    channels.forEach(ManagedChannel::shutdownNow);
    await().atMost(2, TimeUnit.MINUTES).until(() -> unread() == 0);
  }

  @Test
  void pagesThatNobodyReadsAreBoundedAndTheSlowestConnectionIsCut() {
    append(2);
    List<Unread<?, ?>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ManagedChannel channel = connect();
      for (int j = 0; j < 4; j++) {
        calls.add(
            Unread.asked(
                channel,
                MessageServiceGrpc.getListSessionMessagesMethod(),
                ListSessionMessagesRequest.newBuilder().setSessionId(session).build()));
      }
    }

    isCutAndForgotten(calls);
  }

  @Test
  void streamsThatNobodyReadsAreBoundedAndTheSlowestConnectionIsCut() {
    List<Unread<?, ?>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Unread<?, ?> call =
          Unread.asked(
              connect(),
              EventServiceGrpc.getStreamSessionEventsMethod(),
              StreamSessionEventsRequest.newBuilder().setSessionId(session).build());
      call.call.request(1_000_000);
      calls.add(call);
    }
    await().until(() -> calls.stream().allMatch(call -> call.received.get() > 0));
    append(2);

    isCutAndForgotten(calls);
  }

  @Test
  void aWorkerThatDoesNotReadGetsFurtherLeasesOnceItDoes() {
    int tasks = 40;
    for (int i = 0; i < tasks; i++) {
      var unused =
          core.tasks()
              .submitSessionTask(
                  SubmitTaskRequest.newBuilder()
                      .setSessionId(core.newSession())
                      .setInput(
                          SubmitTaskInput.newBuilder()
                              .setJson(ByteString.copyFromUtf8("{\"n\":\"" + LARGE + "\"}")))
                      .build());
    }
    Unread<LeaseTasksRequest, LeaseTasksResponse> worker =
        new Unread<>(connect(), WorkerServiceGrpc.getLeaseTasksMethod());
    worker.call.sendMessage(
        LeaseTasksRequest.newBuilder()
            .setHello(LeaseHello.newBuilder().setWorkerId("slow"))
            .build());
    worker.call.sendMessage(LeaseTasksRequest.newBuilder().setWant(tasks).build());

    await().until(() -> unread() > 1 << 20);
    assertThat(worker.ended).isEmpty();
    worker.call.request(1_000_000);
    await()
        .atMost(2, TimeUnit.MINUTES)
        .until(() -> unread() >= 0 && worker.received.get() == tasks);
    assertThat(worker.ended).isEmpty();
  }
}

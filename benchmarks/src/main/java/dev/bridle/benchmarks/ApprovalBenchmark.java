package dev.bridle.benchmarks;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.integrations.relay.RelayRates;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.fixtures.harp.HarpMessages;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.harpgateway.HarpGateway;
import dev.bridle.harpgateway.HarpGatewayOptions;
import dev.bridle.permission.v1.ApprovalDeviceServiceGrpc;
import dev.bridle.permission.v1.CreateApprovalDeviceRequest;
import dev.bridle.relay.v1.CreateApproverRequest;
import dev.bridle.relay.v1.RelayAdminServiceGrpc;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.Decision;
import dev.bridle.worker.Permission;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many actions of agents a second a device approves by its signature: asked, sealed, relayed,
 * opened, signed, verified, resumed and used, with every commit synced; core, relay, device and
 * workers in one process. In the same run: the exchanges of the relay alone, and how long it takes
 * from the decision's sending to the agent's going on.
 *
 * <p>Usage: {@code ApprovalBenchmark [seconds per figure] [--cluster-file PATH]}.
 */
public final class ApprovalBenchmark {
  private static final List<Integer> CONCURRENCIES = List.of(1, 16, 64);
  private static final RelayRates UNLIMITED = new RelayRates(Integer.MAX_VALUE, Integer.MAX_VALUE);
  private static final String APPROVER = "phone";
  private static final int MOST = 1 << 20;

  private final Channel channel;
  private final String key;
  private final SigningDevice device;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicLongArray whole = new AtomicLongArray(MOST);
  private final AtomicLongArray resumed = new AtomicLongArray(MOST);
  private volatile long end;
  private volatile CountDownLatch running = new CountDownLatch(0);

  private ApprovalBenchmark(Channel channel, String key, SigningDevice device) {
    this.channel = channel;
    this.key = key;
    this.device = device;
  }

  /** Prints the figures as a table. */
  public static void main(String[] args) throws Exception {
    Target target = Target.of(args);
    Duration time = Duration.ofSeconds(target.number(0, 8));
    Table table = new Table(System.out);
    table.title("signed approvals on " + target + ", " + time + " a figure");
    table.head("at", "per second", "p50 ms", "p99 ms");
    target.run(
        store -> {
          CoreOptions options =
              CoreOptions.DEFAULT.withListener("127.0.0.1", 0).withRelay(UNLIMITED);
          try (CoreServer core =
                  CoreServer.start(
                      store, target.embedded() ? options : options.withSharedStorage());
              HarpGateway gateway =
                  HarpGateway.start(
                      core.channel(),
                      HarpGatewayOptions.defaults()
                          .withListener(ListenerOptions.defaults().withPort(0)))) {
            String key = core.firstKey().orElseThrow();
            Channel channel = authorized(core.channel(), key);
            DeviceKeys keys = DeviceKeys.create(new SecureRandom());
            exchanges(table, gateway, channel, key, time);
            enrol(channel, keys);
            try (SigningDevice device =
                new SigningDevice(
                    gateway.baseUrl(), key, new HarpMessages(keys, "bridle", APPROVER), APPROVER)) {
              new ApprovalBenchmark(core.channel(), key, device).run(table, channel, time);
            }
          }
        });
    System.exit(0);
  }

  private static Channel authorized(Channel channel, String key) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** What the relay carries by itself: the yardstick. */
  private static void exchanges(
      Table table, HarpGateway gateway, Channel channel, String key, Duration time) {
    createApprover(channel, "bare");
    try (RelayExchanges relay = new RelayExchanges(gateway.baseUrl(), key, "gate", "bare")) {
      for (int concurrency : CONCURRENCIES) {
        Load.Result result = Load.run(concurrency, time, relay::exchange);
        table.line(
            "exchange of the relay alone",
            concurrency,
            result.perSecond(),
            result.p50Millis(),
            result.p99Millis());
      }
    }
  }

  private static void createApprover(Channel channel, String approver) {
    var unused =
        RelayAdminServiceGrpc.newBlockingStub(channel)
            .createApprover(CreateApproverRequest.newBuilder().setApproverId(approver).build());
  }

  private static void enrol(Channel channel, DeviceKeys keys) {
    createApprover(channel, APPROVER);
    ObjectNode halves = keys.publicHalves();
    var unused =
        ApprovalDeviceServiceGrpc.newBlockingStub(channel)
            .createApprovalDevice(
                CreateApprovalDeviceRequest.newBuilder()
                    .setPrincipal("ada")
                    .setApproverId(APPROVER)
                    .setSignerKeyId(keys.signerKeyId())
                    .setSigningKey(halves.get("signingKey").textValue())
                    .setAgreementKey(halves.get("agreementKey").textValue())
                    .build());
  }

  private void run(Table table, Channel calls, Duration time) throws InterruptedException {
    int most = CONCURRENCIES.get(CONCURRENCIES.size() - 1);
    Worker worker =
        Worker.builder(channel).credentials(key).slots(most).handler(this::handle).build();
    worker.start();
    try {
      for (int concurrency : CONCURRENCIES) {
        measure(calls, concurrency, time.dividedBy(2));
        double perSecond = measure(calls, concurrency, time);
        int count = Math.min(MOST, taken.get());
        table.line(
            "signed approval", concurrency, perSecond, at(whole, count, 50), at(whole, count, 99));
        table.line(
            "  of it, from the decision to the agent",
            concurrency,
            perSecond,
            at(resumed, count, 50),
            at(resumed, count, 99));
      }
    } finally {
      worker.close();
    }
  }

  /** Runs a number of tasks that ask one thing after the other, and returns how many a second. */
  private double measure(Channel calls, int concurrency, Duration time)
      throws InterruptedException {
    taken.set(0);
    running = new CountDownLatch(concurrency);
    long began = System.nanoTime();
    end = began + time.toNanos();
    for (int i = 0; i < concurrency; i++) {
      String session =
          SessionServiceGrpc.newBlockingStub(calls)
              .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
              .getId();
      var unused =
          TaskServiceGrpc.newBlockingStub(calls)
              .submitSessionTask(
                  SubmitTaskRequest.newBuilder()
                      .setSessionId(session)
                      .setInput(
                          SubmitTaskInput.newBuilder()
                              .setJson(ByteString.copyFromUtf8("{\"n\":1}")))
                      .build());
    }
    running.await();
    return taken.get() * 1e9 / (System.nanoTime() - began);
  }

  private TaskResult handle(TaskContext task) {
    for (int number = 0; System.nanoTime() < end; number++) {
      String command = "make " + task.task().getId() + "-" + number;
      ObjectNode content = JsonNodeFactory.instance.objectNode().put("command", command);
      long from = System.nanoTime();
      Decision decision =
          task.requestPermission(
              "ask-" + number,
              Permission.of("command", content, "May I?").holding(Duration.ofMinutes(5)));
      long now = System.nanoTime();
      if (!decision.allowed()) {
        throw new IllegalStateException("not allowed: " + decision);
      }
      int at = taken.getAndIncrement();
      if (at < MOST) {
        whole.set(at, now - from);
        resumed.set(at, now - device.sentAt(content.toString()));
      }
    }
    running.countDown();
    return TaskResult.of("done");
  }

  private static double at(AtomicLongArray samples, int count, int percent) {
    long[] sorted = new long[count];
    Arrays.setAll(sorted, samples::get);
    Arrays.sort(sorted);
    return sorted[count * percent / 100] / 1e6;
  }
}

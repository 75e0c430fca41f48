package dev.bridle.benchmarks;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ReadTaskLogRequest;
import dev.bridle.event.v1.TaskLogPiece;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.replay.LogReplay;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.receipt.v1.GetReceiptRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How many events a second a log replay takes, beside a bare read of the same events by range in
 * the same run.
 *
 * <p>Usage: {@code ReplayBenchmark [events]}.
 */
public final class ReplayBenchmark {
  private static final int EVENTS = 20_000;
  private static final int PAGE = 1000;
  private static final int ROUNDS = 4;
  private static final int MINUTES = 10;
  private static final String TENANT = "default";

  private ReplayBenchmark() {}

  /** Fills a store with one task, and prints events a second as a table. */
  public static void main(String[] args) throws Exception {
    int events = args.length > 0 ? Integer.parseInt(args[0]) : EVENTS;
    Path directory = Files.createTempDirectory("bridle-benchmark-");
    CoreOptions options =
        CoreOptions.DEFAULT
            .withListener("127.0.0.1", 0)
            .withAccess(AccessOptions.NONE.withMasterKey(MasterKey.make()));
    try (KeyValueStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
        CoreServer core = CoreServer.start(store, options)) {
      Channel channel = channel(core);
      measure(store, channel, task(core, channel, events));
    } finally {
      Target.delete(directory);
    }
    System.exit(0);
  }

  private static void measure(KeyValueStore store, Channel channel, Task task) {
    Receipt receipt =
        Receipt.parse(
            ReceiptServiceGrpc.newBlockingStub(channel)
                .getReceipt(
                    GetReceiptRequest.newBuilder().setReceiptId(task.getReceiptId()).build())
                .getWire()
                .getPayload()
                .toByteArray());
    Table table = new Table(System.out);
    table.title("a log replay of one task, " + ROUNDS + " rounds");
    table.head("threads", "events/s", "events", "of bare");
    for (int round = 0; round < ROUNDS; round++) {
      double bare = line(table, "bare read by range", 0, () -> read(store, task));
      double log = line(table, "the log's lines", bare, () -> readLog(channel, task));
      double replay = line(table, "log replay", bare, () -> replay(channel, task, receipt));
      if (log <= 0 || replay <= 0) {
        throw new IllegalStateException("nothing was read");
      }
    }
  }

  /** Reads or replays all events, and returns their number. */
  private interface Run {
    long events();
  }

  private static double line(Table table, String what, double bare, Run run) {
    long began = System.nanoTime();
    long events = run.events();
    double rate = events / ((System.nanoTime() - began) / 1e9);
    table.line(what, 1, rate, (double) events, bare == 0 ? 1 : rate / bare);
    return rate;
  }

  private static long read(KeyValueStore store, Task task) {
    EventLog log = EventLog.open(store, KeyLayout.root());
    long from = 0;
    List<StoredEvent> page;
    do {
      long at = from;
      page =
          store.read(tr -> log.readTask(tr, TENANT, task.getSessionId(), task.getId(), at, PAGE));
      from += page.size();
    } while (page.size() == PAGE);
    return from;
  }

  private static long readLog(Channel channel, Task task) {
    long lines = 0;
    for (Iterator<TaskLogPiece> pieces = log(channel, task); pieces.hasNext(); ) {
      lines += lines(pieces.next()).count();
    }
    return lines;
  }

  private static long replay(Channel channel, Task task, Receipt receipt) {
    LogReplay replay = new LogReplay(receipt);
    for (Iterator<TaskLogPiece> pieces = log(channel, task); pieces.hasNext(); ) {
      lines(pieces.next()).forEach(line -> replay.add(line.getBytes(StandardCharsets.UTF_8)));
    }
    ReplayReport report = replay.finish();
    if (!report.isReplayed()) {
      throw new IllegalStateException("the replay found " + report.fault());
    }
    return report.events();
  }

  private static Stream<String> lines(TaskLogPiece piece) {
    return piece.getData().toString(StandardCharsets.UTF_8).lines();
  }

  private static Iterator<TaskLogPiece> log(Channel channel, Task task) {
    return EventServiceGrpc.newBlockingStub(channel)
        .readTaskLog(ReadTaskLogRequest.newBuilder().setTaskId(task.getId()).build());
  }

  private static Task task(CoreServer core, Channel channel, int events) throws Exception {
    CompletableFuture<String> done = new CompletableFuture<>();
    String session =
        SessionServiceGrpc.newBlockingStub(channel)
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
            .getId();
    try (Worker worker =
        Worker.builder(core.channel())
            .credentials(core.processCredential(TENANT, "benchmark", Set.of("workers:lease")))
            .handler(
                task -> {
                  for (int i = 0; i < events; i++) {
                    task.progress("Event " + i + " of many, with a sentence of usual length.");
                  }
                  done.complete(task.task().getId());
                  return TaskResult.of("done");
                })
            .build()) {
      worker.start();
      var unused =
          TaskServiceGrpc.newBlockingStub(channel)
              .submitSessionTask(
                  SubmitTaskRequest.newBuilder()
                      .setSessionId(session)
                      .setInput(SubmitTaskInput.newBuilder().setJson(ByteString.copyFromUtf8("{}")))
                      .build());
      String id = done.get(MINUTES, TimeUnit.MINUTES);
      Task ended = find(channel, id);
      while (!ended.hasReceiptId()) {
        TimeUnit.MILLISECONDS.sleep(10);
        ended = find(channel, id);
      }
      return ended;
    }
  }

  private static Task find(Channel channel, String id) {
    return TaskServiceGrpc.newBlockingStub(channel)
        .getTask(GetTaskRequest.newBuilder().setTaskId(id).build());
  }

  /** Returns a channel to a core with a credential that may do anything. */
  static Channel channel(CoreServer core) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + core.processCredential(TENANT, "benchmark", Set.of("*")));
    return ClientInterceptors.intercept(
        core.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }
}

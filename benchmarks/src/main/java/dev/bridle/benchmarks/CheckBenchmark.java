package dev.bridle.benchmarks;

import com.google.protobuf.ByteString;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.CheckReport;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.CoreServer;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many keys a second the storage check takes, beside a bare read of the same keys by range in
 * the same run. The keys are those of real tasks: each is submitted with an idempotency key, and
 * its worker sends a message, records a step and completes it.
 *
 * <p>Usage: {@code CheckBenchmark [tasks] [directory]}. A directory that is given is kept, and not
 * filled again.
 */
public final class CheckBenchmark {
  private static final int TASKS = 12_000;
  private static final int TASKS_OF_SESSION = 40;
  private static final int SLOTS = 128;
  private static final int OPEN_TASKS = 1000;
  private static final int PAGE = 1000;
  private static final int ROUNDS = 2;

  private CheckBenchmark() {}

  /** Fills the directory, and prints keys a second as a table. */
  public static void main(String[] args) throws Exception {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : TASKS;
    boolean kept = args.length > 1;
    Path directory = kept ? Path.of(args[1]) : Files.createTempDirectory("bridle-benchmark-");
    try {
      if (!filled(directory)) {
        try (KeyValueStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
          fill(store, tasks);
        }
      }
      try (KeyValueStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
        measure(store);
      }
    } finally {
      if (!kept) {
        Target.delete(directory);
      }
    }
    System.exit(0);
  }

  private static boolean filled(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (var files = Files.list(directory)) {
      return files.findAny().isPresent();
    }
  }

  private static void measure(KeyValueStore store) {
    Table table = new Table(System.out);
    table.title("the storage check of a stopped store, " + ROUNDS + " rounds");
    table.head("threads", "keys/s", "keys", "s");
    int processors = Runtime.getRuntime().availableProcessors();
    for (int round = 0; round < ROUNDS; round++) {
      print(table, "bare read by range", 1, () -> read(store));
      print(table, "check", 1, () -> check(store, 1));
      print(table, "check", processors, () -> check(store, processors));
    }
  }

  /** Reads or checks all keys, and returns their number. */
  private interface Run {
    long keys();
  }

  private static void print(Table table, String what, int threads, Run run) {
    long began = System.nanoTime();
    long keys = run.keys();
    double seconds = (System.nanoTime() - began) / 1e9;
    table.line(what, threads, keys / seconds, (double) keys, seconds);
  }

  private static long read(KeyValueStore store) {
    long keys = 0;
    Optional<KeyRange> rest = Optional.of(new Rows(KeyLayout.root()).all());
    while (rest.isPresent()) {
      KeyRange at = rest.get();
      List<KeyValue> page = store.read(tr -> tr.getRange(at, PAGE));
      keys += page.size();
      rest =
          page.size() < PAGE
              ? Optional.empty()
              : Optional.of(at.after(page.get(PAGE - 1).key(), false));
    }
    return keys;
  }

  private static long check(KeyValueStore store, int threads) {
    CheckReport report =
        new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG, threads)
            .check(CheckProgress.SILENT);
    if (!report.clean()) {
      throw new IllegalStateException("the check found " + report.findings());
    }
    return report.keys();
  }

  private static void fill(KeyValueStore store, int tasks) throws InterruptedException {
    Semaphore open = new Semaphore(OPEN_TASKS);
    AtomicInteger done = new AtomicInteger();
    CoreServer core = CoreServer.start(store, CoreOptions.DEFAULT.withListener("127.0.0.1", 0));
    try (core;
        Worker worker = worker(core, open, done)) {
      worker.start();
      String key = core.firstKey().orElseThrow();
      Thread[] clients = new Thread[16];
      AtomicInteger next = new AtomicInteger();
      for (int i = 0; i < clients.length; i++) {
        clients[i] = new Thread(() -> submit(core, key, next, tasks, open));
        clients[i].start();
      }
      for (Thread client : clients) {
        client.join();
      }
      open.acquire(OPEN_TASKS);
    }
    if (done.get() < tasks) {
      throw new IllegalStateException(done + " of " + tasks + " tasks have run");
    }
  }

  private static void submit(
      CoreServer core, String key, AtomicInteger next, int tasks, Semaphore open) {
    String session = "";
    int inSession = 0;
    for (int number = next.getAndIncrement(); number < tasks; number = next.getAndIncrement()) {
      if (inSession++ % TASKS_OF_SESSION == 0) {
        session =
            SessionServiceGrpc.newBlockingStub(channel(core, key, "session-" + number))
                .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
                .getId();
      }
      open.acquireUninterruptibly();
      var unused =
          TaskServiceGrpc.newBlockingStub(channel(core, key, "task-" + number))
              .submitSessionTask(
                  SubmitTaskRequest.newBuilder()
                      .setSessionId(session)
                      .setInput(
                          SubmitTaskInput.newBuilder()
                              .setJson(ByteString.copyFromUtf8("{\"n\":" + number + "}")))
                      .build());
    }
  }

  private static Channel channel(CoreServer core, String key, String idempotencyKey) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
    headers.put(
        Metadata.Key.of("idempotency-key", Metadata.ASCII_STRING_MARSHALLER), idempotencyKey);
    return ClientInterceptors.intercept(
        core.channel(), MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static Worker worker(CoreServer core, Semaphore open, AtomicInteger done) {
    return Worker.builder(core.channel())
        .credentials(core.processCredential("default", "benchmark", Set.of("workers:lease")))
        .slots(SLOTS)
        .handler(
            task -> {
              var unusedMessage = task.message("answer", "Number " + task.task().getId() + ".");
              task.progress("half", 0.5);
              done.incrementAndGet();
              open.release();
              return TaskResult.of("done");
            })
        .build();
  }
}

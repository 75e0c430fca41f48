package dev.bridle.benchmarks;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.event.v1.ReplayMode;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import dev.bridle.replay.v1.ReplayServiceGrpc;
import dev.bridle.replay.v1.ReplayTaskRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.task.v1.GetTaskRequest;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import dev.bridle.worker.WorkerBuilder;
import io.grpc.Channel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How long a handler of recorded steps takes in a replay, beside the run that recorded them, and in
 * a replay where one value is replaced, beside the one where none is: from its first step to its
 * last one, without the queue before it and the log's replay behind it.
 */
public final class ExecutionBenchmark {
  private static final int STEPS = 1000;
  private static final int ROUNDS = 4;
  private static final String TENANT = "default";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final HandlerFacts FACTS = HandlerFacts.of("benchmark", "1").withAllRecorded();

  private ExecutionBenchmark() {}

  /** Runs tasks and replays them in turns, and prints steps a second as a table. */
  public static void main(String[] args) throws Exception {
    int steps = args.length > 0 ? Integer.parseInt(args[0]) : STEPS;
    Path directory = Files.createTempDirectory("bridle-benchmark-");
    CoreOptions options =
        CoreOptions.DEFAULT
            .withListener("127.0.0.1", 0)
            .withAccess(AccessOptions.NONE.withMasterKey(MasterKey.make()));
    try (KeyValueStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
        CoreServer core = CoreServer.start(store, options)) {
      measure(core, ReplayBenchmark.channel(core), steps);
    } finally {
      Target.delete(directory);
    }
    System.exit(0);
  }

  private static void measure(CoreServer core, Channel channel, int steps) throws Exception {
    Timed handler = new Timed(steps);
    Table table = new Table(System.out);
    table.title(steps + " recorded values and as many events, " + ROUNDS + " rounds");
    table.head("threads", "steps/s", "steps", "of the above");
    try (Worker tasks = worker(core).handler(handler).build();
        Worker replays = worker(core).handler(handler).replays().build()) {
      tasks.start();
      replays.start();
      for (int round = 0; round < ROUNDS; round++) {
        String task = submit(channel);
        double run = line(table, "the run that records", 0, handler);
        await(channel, task);
        Task exact = replay(channel, ReplayTaskRequest.newBuilder().setTaskId(task));
        double again = line(table, "its replay", run, handler);
        Task overridden = replay(channel, overridden(task));
        double otherwise = line(table, "its replay, a value replaced", again, handler);
        if (exact.getId().isEmpty()
            || overridden.getReplay().getOverrideKeysCount() == 0
            || otherwise <= 0) {
          throw new IllegalStateException("nothing was replayed");
        }
      }
    }
  }

  private static Task replay(Channel channel, ReplayTaskRequest.Builder request) {
    return ReplayServiceGrpc.newBlockingStub(channel)
        .replayTask(request.setDepth(ReplayDepth.REPLAY_DEPTH_EXECUTE).build());
  }

  /** Replaces the first value, so that the first event is another one. */
  private static ReplayTaskRequest.Builder overridden(String task) {
    return ReplayTaskRequest.newBuilder()
        .setTaskId(task)
        .setMode(ReplayMode.REPLAY_MODE_WITH_OVERRIDES)
        .putOverride(
            "llm:0",
            ReplayOverride.newBuilder()
                .setKind(ReplayOverrideKind.REPLAY_OVERRIDE_KIND_LLM_PROVIDER_RESPONSE)
                .setValue(ByteString.copyFromUtf8("-1"))
                .build());
  }

  private static double line(Table table, String what, double run, Timed handler) throws Exception {
    double rate = handler.next();
    table.line(what, 1, rate, (double) handler.steps * 2, run == 0 ? 1 : rate / run);
    return rate;
  }

  private static WorkerBuilder worker(CoreServer core) {
    return Worker.builder(core.channel())
        .credentials(core.processCredential(TENANT, "benchmark", Set.of("workers:lease")))
        .handlerFacts(FACTS);
  }

  private static String submit(Channel channel) {
    String session =
        SessionServiceGrpc.newBlockingStub(channel)
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
            .getId();
    return TaskServiceGrpc.newBlockingStub(channel)
        .submitSessionTask(
            SubmitTaskRequest.newBuilder()
                .setSessionId(session)
                .setInput(SubmitTaskInput.newBuilder().setJson(ByteString.copyFromUtf8("{}")))
                .build())
        .getId();
  }

  private static void await(Channel channel, String task) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < until) {
      Task now =
          TaskServiceGrpc.newBlockingStub(channel)
              .getTask(GetTaskRequest.newBuilder().setTaskId(task).build());
      if (now.hasOutcomeId()) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
    throw new IllegalStateException("the task did not end");
  }

  /** Takes its steps, and says how many a second. */
  private static final class Timed implements TaskHandler {
    private final int steps;
    private CompletableFuture<Double> rate = new CompletableFuture<>();

    Timed(int steps) {
      this.steps = steps;
    }

    /** Waits for the next run, and returns its rate. */
    double next() throws Exception {
      CompletableFuture<Double> awaited;
      synchronized (this) {
        awaited = rate;
      }
      double found = awaited.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      synchronized (this) {
        rate = new CompletableFuture<>();
      }
      return found;
    }

    @Override
    public TaskResult handle(TaskContext task) throws Exception {
      long began = System.nanoTime();
      for (int i = 0; i < steps; i++) {
        int step = i;
        int value = task.step("llm:" + step, Integer.class, () -> step);
        task.progress("Step " + value + " of many, with a sentence of usual length.");
      }
      double found = steps * 2 / ((System.nanoTime() - began) / 1e9);
      synchronized (this) {
        rate.complete(found);
      }
      return TaskResult.of("done");
    }
  }
}

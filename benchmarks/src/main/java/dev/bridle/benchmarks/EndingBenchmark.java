package dev.bridle.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.ByteString;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.count.CountingStore;
import dev.bridle.task.v1.SubmitTaskInput;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.task.v1.TaskServiceGrpc;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import io.grpc.ClientInterceptors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the end of a task costs: the worker's call that completes it, in time and in what is done to
 * the store meanwhile. Tasks with few and with many events take turns, so that the ratio of their
 * medians shows whether a receipt makes the end of a task depend on its length; tasks without a
 * receipt show what the receipt costs. The events are durable before.
 *
 * <p>Usage: {@code EndingBenchmark [turns] [many events] [--cluster-file PATH]}.
 */
public final class EndingBenchmark {
  private static final int FEW = 10;
  private static final int MANY = 10_000;
  private static final int WARM_UP_TURNS = 3;

  /** Tasks of few events a turn, which are compiled and measured while those of many are few. */
  private static final int FEW_PER_TURN = 10;

  private final Table table = new Table(System.out);
  private final int turns;
  private final int many;

  private EndingBenchmark(int turns, int many) {
    this.turns = turns;
    this.many = many;
  }

  /** Prints the medians of each kind of task, and the ratios of long to short ones. */
  public static void main(String[] args) throws Exception {
    Target target = Target.of(args);
    EndingBenchmark benchmark = new EndingBenchmark(target.number(0, 15), target.number(1, MANY));
    benchmark.table.title(benchmark.turns + " turns on " + target);
    target.run(benchmark::run);
    System.exit(0);
  }

  /** A kind of task. */
  private record Kind(int events, boolean receipt) {
    @Override
    public String toString() {
      return "end of a task with " + events + " events" + (receipt ? "" : ", no receipt");
    }
  }

  private void run(KeyValueStore store) throws InterruptedException {
    CountingStore counting = new CountingStore(store);
    EndingCalls endings = new EndingCalls(counting);
    try (ReceiptingCore core = new ReceiptingCore(counting);
        Worker worker =
            Worker.builder(ClientInterceptors.intercept(core.channel(), endings))
                .credentials(core.workerCredential())
                .slots(1)
                .handler(EndingBenchmark::work)
                .build()) {
      worker.start();
      String session = core.sessions(1).get(0);
      TaskServiceGrpc.TaskServiceBlockingStub tasks = TaskServiceGrpc.newBlockingStub(core.owner());
      Kind shorter = new Kind(FEW, true);
      Kind longer = new Kind(many, true);
      Map<Kind, List<EndingCalls.Ending>> measured = new LinkedHashMap<>();
      for (int turn = -WARM_UP_TURNS; turn < turns; turn++) {
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < FEW_PER_TURN; i++) {
          kinds.addAll(List.of(shorter, new Kind(FEW, false)));
        }
        kinds.addAll(List.of(longer, new Kind(many, false)));
        for (Kind kind : kinds) {
          submit(tasks, session, kind);
          EndingCalls.Ending ending = endings.next();
          if (turn >= 0) {
            measured.computeIfAbsent(kind, any -> new ArrayList<>()).add(ending);
          }
        }
      }
      print(measured, longer, shorter);
    }
  }

  private static TaskResult work(TaskContext task) {
    int events = task.input().json().orElseThrow().path("n").intValue();
    JsonNode payload = JsonNodeFactory.instance.objectNode().put("line", "x".repeat(100));
    for (int i = 0; i < events; i++) {
      task.event("event " + i, "vendor.example.line", payload);
    }
    task.flush();
    return TaskResult.of("done");
  }

  private static void submit(
      TaskServiceGrpc.TaskServiceBlockingStub tasks, String session, Kind kind) {
    var unused =
        tasks.submitSessionTask(
            SubmitTaskRequest.newBuilder()
                .setSessionId(session)
                .setReceipt(kind.receipt())
                .setInput(
                    SubmitTaskInput.newBuilder()
                        .setJson(
                            ByteString.copyFrom(
                                "{\"n\":" + kind.events() + "}", StandardCharsets.UTF_8)))
                .build());
  }

  private void print(Map<Kind, List<EndingCalls.Ending>> measured, Kind longer, Kind shorter) {
    table.head("of", "ms", "transactions", "mutations", "bytes", "reads");
    measured.forEach((kind, all) -> table.line(kind.toString(), all.size(), figures(all)));
    double[] ratios = figures(measured.get(longer));
    double[] few = figures(measured.get(shorter));
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] /= few[i];
    }
    table.line("ratio of " + longer.events() + " to " + FEW, turns, ratios);
  }

  private static double[] figures(List<EndingCalls.Ending> all) {
    return new double[] {
      median(all, EndingCalls.Ending::millis),
      median(all, ending -> ending.cost().transactions()),
      median(all, ending -> ending.cost().mutations()),
      median(all, ending -> ending.cost().bytes()),
      median(all, ending -> ending.cost().reads())
    };
  }

  private static double median(
      List<EndingCalls.Ending> all, ToDoubleFunction<EndingCalls.Ending> figure) {
    return all.stream().mapToDouble(figure).sorted().toArray()[all.size() / 2];
  }
}

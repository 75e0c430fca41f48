package dev.bridle.benchmarks;

import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.HttpGateway;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/**
 * How much slower receipts make tasks: from submission to the terminal event over REST, of tasks
 * with a receipt and of tasks that decline it ({@code "receipt": false}), in turns of half a second
 * on the same server, of which the medians count. The order changes from pair to pair. What hangs
 * on it: whether receipts may be on by default.
 *
 * <p>All tasks of a session extend one chain, so that figures with one session show what the chain
 * costs beyond the receipts themselves.
 *
 * <p>Usage: {@code ReceiptCostBenchmark [pairs of turns] [--cluster-file PATH]}.
 */
public final class ReceiptCostBenchmark {
  private static final List<Integer> CONCURRENCIES = List.of(1, 16, 64);
  private static final List<Integer> SESSIONS = List.of(1, 64);
  private static final Duration TURN = Duration.ofMillis(500);
  private static final int WARM_UP_PAIRS = 4;
  private static final int SLOTS = 256;

  private final Table table = new Table(System.out);
  private final int pairs;

  private ReceiptCostBenchmark(int pairs) {
    this.pairs = pairs;
  }

  /** Prints medians and their ratio at each concurrency, in many sessions and in one. */
  public static void main(String[] args) throws Exception {
    Target target = Target.of(args);
    ReceiptCostBenchmark benchmark = new ReceiptCostBenchmark(target.number(0, 10));
    benchmark.table.title(
        benchmark.pairs + " pairs of turns of " + TURN.toMillis() + " ms on " + target);
    target.run(
        store -> {
          try (ReceiptingCore core = new ReceiptingCore(store);
              HttpGateway gateway =
                  HttpGateway.start(
                      core.channel(),
                      GatewayOptions.defaults().withListener(on -> on.withPort(0)));
              Worker worker = worker(core);
              RestTasks rest = new RestTasks(gateway.baseUrl(), core.key(), "")) {
            worker.start();
            benchmark.run(core, rest);
          }
        });
    System.exit(0);
  }

  private static Worker worker(ReceiptingCore core) {
    return Worker.builder(core.channel())
        .credentials(core.workerCredential())
        .slots(SLOTS)
        .handler(task -> TaskResult.of("done"))
        .build();
  }

  private void run(ReceiptingCore core, RestTasks rest) {
    table.head(
        "at",
        "without /s",
        "with /s",
        "ratio",
        "CPU µs",
        "with",
        "p50 ms",
        "with",
        "p99 ms",
        "with");
    for (int sessions : SESSIONS) {
      List<String> ids = core.sessions(sessions);
      for (int concurrency : CONCURRENCIES) {
        compare(rest, ids, concurrency);
      }
    }
  }

  private void compare(RestTasks rest, List<String> sessions, int concurrency) {
    List<Load.Result> with = new ArrayList<>();
    List<Load.Result> without = new ArrayList<>();
    for (int pair = -WARM_UP_PAIRS; pair < pairs; pair++) {
      boolean first = pair % 2 == 0;
      Load.Result one = turn(rest, sessions, concurrency, first);
      Load.Result other = turn(rest, sessions, concurrency, !first);
      if (pair >= 0) {
        with.add(first ? one : other);
        without.add(first ? other : one);
      }
    }
    double fast = median(without, Load.Result::perSecond);
    double slow = median(with, Load.Result::perSecond);
    table.line(
        "tasks in " + sessions.size() + (sessions.size() == 1 ? " session" : " sessions"),
        concurrency,
        fast,
        slow,
        slow / fast,
        median(without, result -> result.each().cpuMicros()),
        median(with, result -> result.each().cpuMicros()),
        median(without, Load.Result::p50Millis),
        median(with, Load.Result::p50Millis),
        median(without, Load.Result::p99Millis),
        median(with, Load.Result::p99Millis));
  }

  private static Load.Result turn(
      RestTasks rest, List<String> sessions, int concurrency, boolean receipt) {
    AtomicInteger next = new AtomicInteger();
    return Load.turn(
        concurrency,
        TURN,
        () -> rest.trivialTask(sessions.get(next.getAndIncrement() % sessions.size()), receipt));
  }

  private static double median(List<Load.Result> turns, ToDoubleFunction<Load.Result> figure) {
    return turns.stream().mapToDouble(figure).sorted().toArray()[turns.size() / 2];
  }
}

package dev.bridle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The demo agent's task as people get it: {@code bridle up} with its defaults, receipts among them,
 * and the client in another process on the same machine. Each row stands for a time, one kind after
 * the other and again, since a server is compiled as it works: the last rows count. Processor time
 * and memory are the server's alone.
 *
 * <p>Usage: {@code ServedTasksBenchmark BRIDLE [seconds of a row] [rounds] [connections]
 * [sessions]}.
 */
public final class ServedTasksBenchmark {
  private static final List<Integer> DEFAULTS = List.of(10, 4, 64, 16);

  private final Table table = new Table(System.out);
  private final ServerProcess server;
  private final Duration time;
  private final int connections;

  private ServedTasksBenchmark(ServerProcess server, Duration time, int connections) {
    this.server = server;
    this.time = time;
    this.connections = connections;
  }

  /** Prints a row of each kind in each round. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("bridle-benchmark");
    try (ServerProcess server = ServerProcess.start(args[0], directory)) {
      new ServedTasksBenchmark(server, Duration.ofSeconds(number(args, 1)), number(args, 3))
          .run(number(args, 2), number(args, 4));
    } finally {
      Target.delete(directory);
    }
    System.exit(0);
  }

  private static int number(String[] args, int at) {
    return args.length > at ? Integer.parseInt(args[at]) : DEFAULTS.get(at - 1);
  }

  private void run(int rounds, int sessions) throws IOException {
    table.title(time.toSeconds() + " s a row");
    table.head("at", "/s", "p50 ms", "p99 ms", "server CPU µs", "resident MB");
    try (RestTasks rest = new RestTasks(server.url(), server.firstKey(), "none")) {
      List<String> ids = Stream.generate(rest::newSession).limit(sessions).toList();
      AtomicInteger next = new AtomicInteger();
      for (int round = 0; round < rounds; round++) {
        row("tasks in one session", () -> rest.demoTask(ids.get(0)));
        row(
            "tasks in " + sessions + " sessions",
            () -> rest.demoTask(ids.get(next.getAndIncrement() % sessions)));
        row("one record", () -> rest.readOne(ids.get(0)));
      }
    }
  }

  private void row(String what, Supplier<CompletableFuture<?>> operation) throws IOException {
    Duration before = server.processorTime();
    Load.Result result = Load.turn(connections, time, operation);
    Duration spent = server.processorTime().minus(before);
    table.line(
        what,
        connections,
        result.perSecond(),
        result.p50Millis(),
        result.p99Millis(),
        spent.toNanos() / 1e3 / (result.perSecond() * time.toMillis() / 1e3),
        server.megabytes("VmRSS").orElse(0L));
  }
}

package dev.bridle.benchmarks;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.fdb.FdbOptions;
import dev.bridle.storage.fdb.FdbStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Several servers on one FoundationDB cluster: how much a server more costs one busy session, and
 * how long the tasks of a server wait that is killed. Each server has the demo agent. All servers
 * work for a while before the first row, and then one after the other ends. Each row says how many
 * processors the servers kept busy: where that is all that the machine has, it measures those.
 *
 * <p>Usage: {@code ClusterTasksBenchmark BRIDLE CLUSTER_FILE [seconds of a row] [servers]
 * [connections]}.
 */
public final class ClusterTasksBenchmark implements AutoCloseable {
  private static final List<Integer> DEFAULTS = List.of(15, 3, 32);
  private static final int WARM_TURNS = 3;
  private static final long NANOS = 1_000_000_000;

  /** A task that was under way at a live server ends sooner, and no lease is lost sooner. */
  private static final Duration LOST = Duration.ofSeconds(10);

  private final Table table = new Table(System.out);
  private final String bridle;
  private final Path directory;
  private final List<String> storage;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<RestTasks> clients = new ArrayList<>();
  private String key = "";

  private ClusterTasksBenchmark(String bridle, Path directory, Path cluster, String prefix) {
    this.bridle = bridle;
    this.directory = directory;
    this.storage =
        List.of(
            "--storage",
            "fdb",
            "--cluster-file",
            cluster.toString(),
            "--key-prefix",
            prefix,
            "--master-key-file",
            directory.resolve("master.key").toString());
  }

  /** Prints the rows, and clears what it has stored in the cluster. */
  public static void main(String[] args) throws Exception {
    Path cluster = Path.of(args[1]);
    String prefix = "benchmark-" + UUID.randomUUID();
    Path directory = Files.createTempDirectory("bridle-benchmark");
    try (ClusterTasksBenchmark benchmark =
        new ClusterTasksBenchmark(args[0], directory, cluster, prefix)) {
      benchmark.createMasterKey();
      benchmark.run(Duration.ofSeconds(number(args, 2)), number(args, 3), number(args, 4));
    } finally {
      clear(cluster, prefix);
      Target.delete(directory);
    }
    System.exit(0);
  }

  private static int number(String[] args, int at) {
    return args.length > at ? Integer.parseInt(args[at]) : DEFAULTS.get(at - 2);
  }

  private static void clear(Path cluster, String prefix) {
    byte[] bytes = (prefix + '\0').getBytes(StandardCharsets.UTF_8);
    try (KeyValueStore store = FdbStore.open(FdbOptions.of(cluster).withPrefix(bytes))) {
      store.transact(
          tr -> {
            tr.clear(new KeyRange(new byte[0], new byte[] {(byte) 0xff}));
            return true;
          });
    }
  }

  private void createMasterKey() throws IOException, InterruptedException {
    String file = directory.resolve("master.key").toString();
    if (new ProcessBuilder(bridle, "master-key", "create", file).start().waitFor() != 0) {
      throw new IOException("no master key was made");
    }
  }

  private void run(Duration time, int most, int connections) throws IOException {
    table.title(time.toSeconds() + " s a row, " + connections + " connections");
    table.head("servers", "/s", "p50 ms", "p99 ms", "processors");
    for (int count = 1; count <= most; count++) {
      start();
    }
    List<String> one = List.of(clients.get(0).newSession());
    List<String> many = Stream.generate(clients.get(0)::newSession).limit(connections).toList();
    for (int turn = 0; turn < WARM_TURNS; turn++) {
      var unused = load(turn % 2 == 0 ? one : many, time, connections);
    }
    row(one, time, connections);
    row(many, time, connections);
    killed(time, connections);
    while (!servers.isEmpty()) {
      row(one, time, connections);
      row(many, time, connections);
      stop();
    }
  }

  private void start() throws IOException {
    Path own = Files.createDirectory(directory.resolve("server-" + UUID.randomUUID()));
    ServerProcess server = ServerProcess.start(bridle, own, storage.toArray(String[]::new));
    servers.add(server);
    if (key.isEmpty()) {
      key = server.firstKey();
    }
    clients.add(new RestTasks(server.url(), key, "none"));
  }

  private void stop() {
    clients.remove(clients.size() - 1).close();
    servers.remove(servers.size() - 1).close();
  }

  private Load.Result load(List<String> sessions, Duration time, int connections) {
    AtomicInteger next = new AtomicInteger();
    return Load.run(
        connections,
        time,
        () -> {
          int number = next.getAndIncrement();
          return clients
              .get(number % clients.size())
              .demoTask(sessions.get(number % sessions.size()));
        });
  }

  private void row(List<String> sessions, Duration time, int connections) {
    List<Duration> before = spent();
    Load.Result result = load(sessions, time, connections);
    List<Duration> after = spent();
    double cpu = 0;
    for (int i = 0; i < after.size(); i++) {
      cpu += after.get(i).minus(before.get(i)).toNanos() / 1e9;
    }
    table.line(
        sessions.size() == 1 ? "tasks in one session" : "tasks in as many sessions",
        servers.size(),
        result.perSecond(),
        result.p50Millis(),
        result.p99Millis(),
        cpu / (1.5 * time.toSeconds()));
  }

  private List<Duration> spent() {
    return servers.stream().map(ServerProcess::processorTime).toList();
  }

  /** A task, from its submission to its end. */
  private record Run(long from, CompletableFuture<Long> until) {}

  /** Kills the newest server while tasks run, and prints how long those of it have waited. */
  private void killed(Duration time, int connections) {
    if (servers.size() < 2) {
      return;
    }
    int dead = servers.size() - 1;
    List<String> sessions =
        Collections.nCopies(connections, "").stream()
            .map(any -> clients.get(0).newSession())
            .toList();
    List<Run> runs = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger next = new AtomicInteger();
    CompletableFuture<Long> kill =
        CompletableFuture.supplyAsync(
            () -> {
              servers.get(dead).process().destroyForcibly();
              return System.nanoTime();
            },
            CompletableFuture.delayedExecutor(time.toMillis() / 2, TimeUnit.MILLISECONDS));
    // The clients of a server that lives: what they wait for is lost with its worker alone.
    Load.turn(
        connections,
        time,
        () -> {
          int number = next.getAndIncrement();
          long from = System.nanoTime();
          Run run =
              new Run(
                  from,
                  clients
                      .get(number % dead)
                      .demoTask(sessions.get(number % sessions.size()))
                      .thenApply(done -> System.nanoTime()));
          runs.add(run);
          return run.until();
        });
    long at = kill.join();
    List<Double> waits =
        runs.stream()
            .filter(run -> run.from() <= at && run.until().join() - at >= LOST.toNanos())
            .map(run -> (run.until().join() - at) / (double) NANOS)
            .sorted()
            .toList();
    System.out.printf(
        "killed one of %d: %d of its tasks ended %.1f s after it on average, %.1f s at most%n",
        servers.size(),
        waits.size(),
        waits.stream().mapToDouble(wait -> wait).average().orElse(0),
        waits.isEmpty() ? 0 : waits.get(waits.size() - 1));
    stop();
  }

  @Override
  public void close() {
    while (!servers.isEmpty()) {
      stop();
    }
  }
}

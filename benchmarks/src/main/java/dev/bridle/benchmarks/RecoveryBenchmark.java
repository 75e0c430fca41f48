package dev.bridle.benchmarks;

import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.HttpGateway;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.migration.FormatHistory;
import dev.bridle.storage.layer.migration.Migrations;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a server takes from its start to its first answer, after one with a million events was
 * killed in the middle of commits. The embedded engine alone: a cluster has no recovery of ours.
 *
 * <p>Usage: {@code RecoveryBenchmark [events] [path of the bridle command]}. With the command, what
 * is started is the server that people start; without it, its parts by this class path.
 */
public final class RecoveryBenchmark {
  private static final int EVENTS = 1_000_000;
  private static final int EACH = 50;
  private static final int THREADS = 16;
  private static final int BODY_BYTES = 400;
  private static final int ROUNDS = 3;
  private static final String FILL = "fill";
  private static final String SERVE = "serve";

  private static final PrintStream OUT = System.out;
  private static final Pattern URL = Pattern.compile("\"http_url\":\"([^\"]+)\"");

  private RecoveryBenchmark() {}

  /** Runs it, or one of its processes. */
  public static void main(String[] args) throws Exception {
    if (args.length == 3 && args[0].equals(FILL)) {
      fill(Path.of(args[1]), Long.parseLong(args[2]));
    } else if (args.length == 2 && args[0].equals(SERVE)) {
      serve(Path.of(args[1]));
    } else {
      long events = args.length > 0 ? Long.parseLong(args[0]) : EVENTS;
      Path directory = Files.createTempDirectory("bridle-recovery-");
      try {
        measure(directory, events, args.length > 1 ? Optional.of(args[1]) : Optional.empty());
      } finally {
        Target.delete(directory);
      }
    }
    System.exit(0);
  }

  private static void measure(Path directory, long events, Optional<String> command)
      throws Exception {
    Table table = new Table(OUT);
    table.title("the embedded engine, killed with " + events + " events while it commits");
    table.head("round", "MB on disk", "serving s", "engine s", "core s");
    for (int round = 1; round <= ROUNDS; round++) {
      Process filling = start(FILL, directory.toString(), "" + (round == 1 ? events : 0));
      try (BufferedReader out = filling.inputReader(StandardCharsets.UTF_8)) {
        need(out.readLine(), "filled");
        filling.destroyForcibly().waitFor();
      }
      long began = System.nanoTime();
      Process serving =
          command.isPresent() ? up(command.get(), directory) : start(SERVE, directory.toString());
      try (BufferedReader out = serving.inputReader(StandardCharsets.UTF_8)) {
        String ready = out.readLine();
        answer(url(ready));
        double seconds = (System.nanoTime() - began) / 1e9;
        table.line("to the first answer", round, figures(ready, size(directory) / 1e6, seconds));
      } finally {
        serving.destroyForcibly().waitFor();
      }
    }
  }

  /** Commits so many events, says so, and goes on committing until it is killed. */
  private static void fill(Path directory, long events) throws InterruptedException {
    KeyValueStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
    new Migrations(new Rows(KeyLayout.root()), FormatHistory.OURS).run(store);
    EventLog log = EventLog.open(store, KeyLayout.root());
    byte[] body = new byte[BODY_BYTES];
    new Random(1).nextBytes(body);
    AtomicLong left = new AtomicLong(events);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      String stream = "stream " + t;
      Thread thread =
          new Thread(
              () -> {
                while (left.getAndAdd(-EACH) > 0) {
                  append(store, log, stream, body, EACH);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    OUT.println("filled");
    while (true) {
      append(store, log, "stream 0", body, 1);
    }
  }

  private static void append(
      KeyValueStore store, EventLog log, String stream, byte[] body, int events) {
    store.transact(
        tr -> {
          var appender = log.appender(tr, "default");
          for (int i = 0; i < events; i++) {
            appender.append(stream, body);
          }
          appender.finish();
          return true;
        });
  }

  /** Starts all parts that answer, and says how long engine and core took and where they listen. */
  private static void serve(Path directory) throws InterruptedException {
    long began = System.nanoTime();
    KeyValueStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
    double engine = (System.nanoTime() - began) / 1e9;
    CoreServer core = CoreServer.start(store, CoreOptions.DEFAULT.withListener("127.0.0.1", 0));
    double whole = (System.nanoTime() - began) / 1e9;
    HttpGateway gateway =
        HttpGateway.start(
            core.channel(), GatewayOptions.defaults().withListener(on -> on.withPort(0)));
    OUT.println("{\"http_url\":\"" + gateway.baseUrl() + "\"} " + engine + " " + whole);
    Thread.currentThread().join();
  }

  private static URI url(String ready) {
    Matcher url = URL.matcher(ready == null ? "" : ready);
    if (!url.find()) {
      throw new IllegalStateException("the server did not get ready: " + ready);
    }
    return URI.create(url.group(1));
  }

  /** Returns the figures of a line; a whole server does not report those of its components. */
  private static double[] figures(String ready, double megabytes, double seconds) {
    String[] parts = ready.substring(ready.lastIndexOf('}') + 1).strip().split(" ", -1);
    return parts.length == 2
        ? new double[] {
          megabytes, seconds, Double.parseDouble(parts[0]), Double.parseDouble(parts[1])
        }
        : new double[] {megabytes, seconds};
  }

  /** Starts the server as people do, on any free ports. */
  private static Process up(String bridle, Path directory) throws IOException {
    return new ProcessBuilder(
            bridle,
            "up",
            "--json",
            "--data-dir",
            directory.toString(),
            "--api-key-file",
            directory.resolve("api.key").toString(),
            "--http-port",
            "0",
            "--grpc-port",
            "0")
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void answer(URI base) throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .build()
            .send(
                HttpRequest.newBuilder(base.resolve("/health")).build(),
                HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IllegalStateException(response.statusCode() + ": " + response.body());
    }
  }

  private static void need(String line, String expected) {
    if (!expected.equals(line)) {
      throw new IllegalStateException("the process said " + line + ", not " + expected);
    }
  }

  private static long size(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                RecoveryBenchmark.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}

package dev.bridle.benchmarks;

import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreServer;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.HttpGateway;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.Worker;
import dev.bridle.worker.demo.DemoAgent;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * How many tasks a second one machine takes from submission to the terminal event on their stream,
 * with every commit synced, server and client in one process. Each figure stands beside two
 * yardsticks of the same run: the engine's own synced commit rate, and a request on the same
 * gateway that touches no storage; and with the processor time and the memory that each operation
 * took of the process, clients included. What hangs on it: whether the durable path wastes what the
 * machine could do.
 *
 * <p>Usage: {@code TaskBenchmark [seconds per figure] [concurrencies, as 1,16,64] [data
 * directory]}.
 */
public final class TaskBenchmark {
  private static final List<Integer> CONCURRENCIES = List.of(1, 16, 64);
  private static final int SLOTS = 256;

  private final PrintStream out;
  private final Duration time;

  private final List<Integer> concurrencies;

  private TaskBenchmark(PrintStream out, Duration time, List<Integer> concurrencies) {
    this.out = out;
    this.time = time;
    this.concurrencies = concurrencies;
  }

  /** Runs all figures and prints them as a table. */
  public static void main(String[] args) throws IOException {
    Duration time = Duration.ofSeconds(args.length > 0 ? Integer.parseInt(args[0]) : 10);
    List<Integer> concurrencies =
        args.length > 1
            ? Arrays.stream(args[1].split(",", -1)).map(Integer::valueOf).toList()
            : CONCURRENCIES;
    Path directory =
        args.length > 2 ? Path.of(args[2]) : Files.createTempDirectory("bridle-benchmark");
    try {
      new TaskBenchmark(System.out, time, concurrencies).run(directory);
    } finally {
      if (args.length <= 2) {
        Target.delete(directory);
      }
    }
    System.exit(0);
  }

  private void run(Path directory) {
    out.printf(
        Locale.ROOT,
        "JDK %s, %d processors, %s of each figure after half as much warm-up, data in %s%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        time,
        directory);
    out.printf(
        "%-34s %6s %12s %9s %9s %9s %9s%n",
        "", "at", "per second", "p50 ms", "p99 ms", "CPU µs", "KiB");
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT);
        CoreServer core =
            CoreServer.start(store, CoreOptions.DEFAULT.withListener("127.0.0.1", 0));
        HttpGateway gateway =
            HttpGateway.start(
                core.channel(), GatewayOptions.defaults().withListener(on -> on.withPort(0)));
        Worker worker = worker(core)) {
      worker.start();
      String key = core.firstKey().orElseThrow();
      String session = session(core, key);
      for (int concurrency : concurrencies) {
        print(
            "synced commits of one key",
            concurrency,
            CommitYardstick.run(store, concurrency, time));
      }
      try (RestTasks rest = new RestTasks(gateway.baseUrl(), key, session);
          GrpcTasks grpc = new GrpcTasks(core.grpcPort(), key, session)) {
        for (int concurrency : concurrencies) {
          print("no-op over HTTP/1.1", concurrency, Load.run(concurrency, time, rest::noop));
          print(
              "one record over HTTP/1.1", concurrency, Load.run(concurrency, time, rest::readOne));
          print(
              "submit to completed over REST",
              concurrency,
              Load.run(concurrency, time, rest::trivialTask));
          print(
              "the demo agent's task over REST",
              concurrency,
              Load.run(concurrency, time, rest::demoTask));
          print(
              "submit to completed over gRPC",
              concurrency,
              Load.run(concurrency, time, grpc::submitAndFollow));
        }
      }
    }
  }

  private static Worker worker(CoreServer core) {
    DemoAgent demo = new DemoAgent();
    return Worker.builder(core.channel())
        .credentials(core.processCredential("default", "benchmark", Set.of("workers:lease")))
        .slots(SLOTS)
        .handler(
            task -> task.input().message().isPresent() ? demo.handle(task) : TaskResult.of("done"))
        .build();
  }

  private static String session(CoreServer core, String key) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
    return SessionServiceGrpc.newBlockingStub(core.channel())
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build())
        .getId();
  }

  private void print(String what, int concurrency, Load.Result result) {
    out.printf(
        Locale.ROOT,
        "%-34s %6d %,12.0f %9.2f %9.2f %9.0f %9.1f%n",
        what,
        concurrency,
        result.perSecond(),
        result.p50Millis(),
        result.p99Millis(),
        result.each().cpuMicros(),
        result.each().allocatedKib());
  }
}

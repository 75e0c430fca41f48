package dev.bridle.benchmarks.flood;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server under a flood of unfinished requests on its HTTP and gRPC ports, with and without
 * credentials, and what another tenant, at each of the ports, and the flooding tenant's other users
 * notice of it; then whether memory and files come back; then the same beside idle connections. The
 * process fails where a request of the other tenant was refused or took more than a second.
 *
 * <p>Usage: {@code FloodBenchmark BRIDLE [seconds] [connections of each main kind] [idle
 * connections] [pause in ms] [kinds]}, where {@code BRIDLE} is the path of the bridle command,
 * {@code pause} is how long a connection that the server ended stays away, and {@code kinds} a
 * regular expression that finds the names of the attacks, to try some of them alone.
 */
public final class FloodBenchmark {
  private static final int SECONDS = 600;
  private static final int CONNECTIONS = 500;
  private static final int IDLE = 9_000;
  private static final int PAUSE_MILLIS = 5_000;
  private static final int PACE_MILLIS = 50;
  private static final int OWN_PACE_MILLIS = 500;
  private static final int REHEARSAL_SECONDS = 10;
  private static final int WARM_UP_SECONDS = 10;
  private static final int CALM_SECONDS = 10;
  private static final int IDLE_SECONDS = 30;

  // All that the flood holds is timed out by then.
  private static final int AFTERWARDS_SECONDS = 45;

  private static final PrintStream OUT = System.out;
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  private FloodBenchmark() {}

  /** Runs it. */
  public static void main(String[] args) throws Exception {
    rehearse(args);
    Path directory = Files.createTempDirectory("bridle-flood-");
    boolean good;
    try (FloodedServer server = FloodedServer.start(args[0], directory)) {
      good = run(server, args);
      OUT.println("the server logged:");
      server.stopAndCountLog().forEach((line, count) -> OUT.println(count + " × " + line));
    } finally {
      delete(directory);
    }
    System.exit(good ? 0 : 1);
  }

  /**
   * Floods another server first: attackers and tenants share the processors with the server, and
   * their own code must be compiled before its first seconds are measured.
   */
  private static void rehearse(String[] args) throws Exception {
    Path directory = Files.createTempDirectory("bridle-flood-");
    try (FloodedServer server = FloodedServer.start(args[0], directory)) {
      String key = server.key("greedy");
      try (Tenant tenant = new Tenant(server.address(), key, workspace(server, key))) {
        tenant.start(PACE_MILLIS);
        List<Attacker> attackers = attackers(server, args, key);
        attackers.forEach(attacker -> attacker.start(Duration.ofMillis(PAUSE_MILLIS)));
        TimeUnit.SECONDS.sleep(REHEARSAL_SECONDS);
        attackers.forEach(Attacker::close);
      }
    } finally {
      delete(directory);
    }
  }

  private static boolean run(FloodedServer server, String[] args) throws Exception {
    String greedy = server.key("greedy");
    String modest = server.key("modest");
    InetSocketAddress address = server.address();
    List<Attacker> attackers = attackers(server, args, greedy);
    try (Tenant own = new Tenant(address, greedy, workspace(server, greedy));
        Tenant other = new Tenant(address, modest, workspace(server, modest));
        GrpcTenant grpc = new GrpcTenant(server.grpcAddress(), modest)) {
      Users users = new Users(own.measured(), other.measured(), grpc.measured());
      other.start(PACE_MILLIS);
      grpc.start(PACE_MILLIS);
      own.start(OWN_PACE_MILLIS);
      TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
      users.forget();
      TimeUnit.SECONDS.sleep(CALM_SECONDS);
      report("calm", server, users);
      users.forget();
      Duration pause = Duration.ofMillis(number(args, 4, PAUSE_MILLIS));
      attackers.forEach(attacker -> attacker.start(pause));
      int seconds = number(args, 1, SECONDS);
      for (int minute = 1; minute * 60 <= seconds; minute++) {
        TimeUnit.SECONDS.sleep(60);
        report("minute " + minute, server, users);
        attackers.forEach(attacker -> OUT.println("    " + attacker.outcome()));
      }
      TimeUnit.SECONDS.sleep(seconds % 60);
      attackers.forEach(Attacker::close);
      report("end", server, users);
      Latencies flooded = users.other().all();
      Latencies floodedGrpc = users.grpc().all();
      OUT.println("WHOLE FLOOD, another tenant: " + flooded);
      OUT.println("WHOLE FLOOD, the same, gRPC: " + floodedGrpc);
      OUT.println("WHOLE FLOOD, same tenant:    " + users.own().all());
      TimeUnit.SECONDS.sleep(AFTERWARDS_SECONDS);
      server.collectGarbage();
      report("afterwards", server, users);
      idle(server, users, number(args, 3, IDLE));
      return flooded.areGood() && floodedGrpc.areGood();
    }
  }

  private static List<Attacker> attackers(FloodedServer server, String[] args, String key) {
    Predicate<String> kinds = Pattern.compile(args.length > 5 ? args[5] : "").asPredicate();
    int connections = number(args, 2, CONNECTIONS);
    return Stream.concat(
            Attacks.all(server.address(), connections, key).stream(),
            Attacks.ofGrpc(server.grpcAddress(), connections, key).stream())
        .filter(attacker -> kinds.test(attacker.name()))
        .toList();
  }

  private static void idle(FloodedServer server, Users users, int count)
      throws IOException, InterruptedException {
    try (Attacker idle =
            new SilentConnections("silent", server.address(), count / 2, Opening.silence());
        Attacker half =
            new SilentConnections("half a head", server.address(), count / 2, Opening.halfHead())) {
      idle.start(Duration.ofMillis(PAUSE_MILLIS));
      half.start(Duration.ofMillis(PAUSE_MILLIS));
      TimeUnit.SECONDS.sleep(IDLE_SECONDS);
      report("beside " + count + " idle connections", server, users);
      OUT.println("    " + idle.outcome());
      OUT.println("    " + half.outcome());
    }
  }

  /**
   * Who is measured.
   *
   * @param own the flooding tenant's other users
   * @param other another tenant
   * @param grpc the same tenant at the gRPC port
   */
  private record Users(Measured own, Measured other, Measured grpc) {
    void forget() {
      for (Measured one : List.of(own, other, grpc)) {
        one.recent();
        one.all();
      }
    }
  }

  private static void report(String when, FloodedServer server, Users users)
      throws IOException, InterruptedException {
    OUT.println(when + ": " + server.figures());
    OUT.println("    load of the machine: " + Files.readString(Path.of("/proc/loadavg")).strip());
    OUT.println("    another tenant: " + users.other().recent());
    OUT.println("    the same, gRPC: " + users.grpc().recent());
    OUT.println("    same tenant:    " + users.own().recent());
    if (!server.isAlive()) {
      throw new IllegalStateException("the server has ended");
    }
  }

  private static String workspace(FloodedServer server, String key)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .build()
            .send(
                HttpRequest.newBuilder(server.url().resolve("/v1/workspaces"))
                    .header("Authorization", "Bearer " + key)
                    .header("Harn-Agents-Protocol-Version", Opening.VERSION)
                    .header("Content-Type", "application/json")
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            "{\"name\":\"flood\",\"root\":\"flood\"}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    Matcher id = ID.matcher(response.body());
    if (!id.find()) {
      throw new IllegalStateException(response.statusCode() + ": " + response.body());
    }
    return id.group(1);
  }

  private static int number(String[] args, int at, int otherwise) {
    return args.length > at ? Integer.parseInt(args[at]) : otherwise;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

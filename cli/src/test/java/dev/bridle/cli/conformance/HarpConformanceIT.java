package dev.bridle.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.harp.Category;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stories of a HARP gateway against the real one, and against one that meddles. */
final class HarpConformanceIT {
  @TempDir private static Path directory;
  private static LocalServer server;
  private static String key;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
    key = server.firstKey().orElseThrow();
    Commands.run(
        0,
        "harp",
        "parties",
        "create",
        "phone",
        "--url",
        server.baseUrl().toString(),
        "--api-key",
        key);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Commands.Said conformance(int exitCode, String url, String... more) {
    List<String> all = new ArrayList<>(List.of("conformance", "--harp", url));
    all.addAll(List.of("--approver", "phone", "--api-key", key));
    all.addAll(List.of(more));
    return Commands.run(exitCode, all.toArray(String[]::new));
  }

  private static String relay() {
    return server.harpUrl().orElseThrow().toString();
  }

  @Test
  void theRelayPassesEachCategory() {
    Commands.Said said = conformance(ExitCodes.DONE, relay());

    assertThat(said.out())
        .contains(
            "passed   HarpDelivery: a decision passes unchanged",
            "passed   HarpSchemas: an artifact that is not as it must be is refused:"
                + " with its payload in the clear")
        .contains(" 0 failed, 0 skipped.")
        .doesNotContain(key);
    for (Category category : Category.values()) {
      List<String> lines =
          said.out().lines().filter(line -> line.startsWith("  " + category.spelled())).toList();
      assertThat(lines).as(category.spelled()).hasSize(1);
      if (category.isOfGateways()) {
        assertThat(lines.get(0)).containsPattern(" [1-9][0-9]* passed, 0 failed, 0 skipped: Harp");
      } else {
        assertThat(lines.get(0)).contains("not tested: it is the enforcer's");
      }
    }
    assertThat(said.out())
        .containsPattern("expiry +2 passed, 0 failed, 0 skipped: HarpEndings")
        .containsPattern("negatives +3 passed, 0 failed, 0 skipped: HarpSchemas, HarpTransport");
  }

  @Test
  void aCategoryOfWhichNoStoryRanIsNotToldAsPassed() {
    String said = conformance(ExitCodes.DONE, relay(), "--story", "HarpPairings", "--json").out();

    assertThat(said)
        .contains(
            "{\"type\":\"category\",\"category\":\"pairing\",\"tested\":true,\"passed\":3,",
            "{\"type\":\"category\",\"category\":\"expiry\",\"tested\":false,"
                + "\"reason\":\"no story of it ran\"}");
  }

  @Tag("slow")
  @Test
  void aGatewayThatChangesADecisionFails() throws IOException {
    HttpServer meddling =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    ExecutorService threads = Executors.newCachedThreadPool();
    meddling.setExecutor(threads);
    meddling.createContext("/", HarpConformanceIT::meddle);
    meddling.start();
    try {
      Commands.Said said =
          conformance(
              ExitCodes.NOT_CONFORMING,
              "http://127.0.0.1:" + meddling.getAddress().getPort(),
              "--story",
              "HarpDelivery");

      assertThat(said.out())
          .contains("FAILED   HarpDelivery: a decision passes unchanged")
          .contains("passed   HarpDelivery: waiting ends without content where nobody decides")
          .doesNotContain(key);
    } finally {
      meddling.stop(0);
      threads.shutdownNow();
    }
  }

  /** Passes a request on to the relay, and changes the decision in its answer. */
  private static void meddle(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(relay() + exchange.getRequestURI()))
              .method(
                  exchange.getRequestMethod(),
                  HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
      for (String header : List.of("Authorization", "Content-Type")) {
        List<String> values = exchange.getRequestHeaders().getOrDefault(header, List.of());
        values.forEach(value -> request.header(header, value));
      }
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
      byte[] body = answer.body().replace("approve", "reject").getBytes(StandardCharsets.UTF_8);
      answer
          .headers()
          .firstValue("Content-Type")
          .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
      exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theCommandNeedsAnApproverAndOneTarget() {
    assertThat(
            Commands.run(ExitCodes.USAGE, "conformance", "--harp", relay(), "--api-key", key).err())
        .contains("--harp needs --approver");
    assertThat(Commands.run(ExitCodes.USAGE, "conformance", "--api-key", key).err())
        .contains("--target", "--harp");
  }
}

package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.cli.run.AgentProgram;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent has its host search for tools, which asks an endpoint of the operator's. */
@Tag("slow")
final class ToolSearchIT {
  private static final byte[] FOUND =
      "{\"tool_names\":[\"query\",\"unknown\",\"deploy\"],\"diagnostic\":\"by hand\"}"
          .getBytes(StandardCharsets.UTF_8);

  @TempDir private Path directory;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer endpoint;
  private RuntimeServer server;

  @BeforeEach
  void start() throws IOException {
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext("/search", this::answer);
    endpoint.start();
    server =
        new RuntimeServer(directory, AgentProgram.make(directory, "bridge", DaemonAgent.class));
    int port = endpoint.getAddress().getPort();
    server.write(
        server
            .runtime("session")
            .put("tool_search_url", "http://127.0.0.1:" + port + "/search?of=tools"));
    server.start();
  }

  @AfterEach
  void stop() {
    endpoint.stop(0);
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String query = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getQuery() + query);
      boolean fails = query.contains("fail");
      exchange.sendResponseHeaders(fails ? 503 : 200, fails ? -1 : FOUND.length);
      if (!fails) {
        exchange.getResponseBody().write(FOUND);
      }
    }
  }

  /** What the agent gets as an error, its model reads as the diagnostic of an empty answer. */
  @Test
  void theEndpointsAnswerReachesTheAgentAndItsFailuresAreErrorsWithAReason() {
    String session = server.session();

    assertThat(server.said(session, "search ship it"))
        .isEqualTo("search {\"tool_names\":[\"query\",\"deploy\"],\"diagnostic\":\"by hand\"}");
    assertThat(asked)
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request).startsWith("POST of=tools");
              assertThat(Json.parse(request.substring("POST of=tools".length())).toString())
                  .isEqualTo(
                      "{\"strategy\":\"host\",\"query\":\"ship it\","
                          + "\"candidates\":[\"deploy\",\"query\"]}");
            });

    assertThat(server.said(session, "search fail please"))
        .contains("\"message\":\"The search endpoint answered with status 503\"");
    endpoint.stop(0);
    assertThat(server.said(session, "search once more"))
        .contains("\"message\":\"The search endpoint can't be reached\"");
    assertThat(server.said(session, "go on")).isEqualTo("did go on");
    assertThat(asked).hasSize(2);
  }
}

package dev.bridle.cli.oauth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.fixtures.client.SocketStream;
import dev.bridle.fixtures.client.SseFrame;
import dev.bridle.fixtures.client.SseStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Open streams end with the credential that they were opened with, and say so. */
final class RevokedStreamsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String STREAM = "/v1/events/stream";

  @TempDir private Path directory;
  private LocalServer server;

  @BeforeEach
  void start() throws IOException {
    LocalServerOptions options = LocalServerOptions.of(directory);
    server =
        LocalServer.start(
            options.withCore(options.core().withCredentialInterval(Duration.ofMillis(20))));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void anEventStreamEndsWithItsKeyAndSaysWhereItWas() {
    JsonNode key = run("apikey", "create");
    ProtocolClient client = as(key.get("secret").textValue());
    try (SseStream stream = client.stream(STREAM)) {
      newSession(client);
      SseFrame last = stream.until(frame -> frame.event().equals("session.created"), PATIENCE);

      var revoked = run("apikey", "revoke", key.get("id").textValue());

      assertThat(revoked.get("id")).isEqualTo(key.get("id"));
      SseFrame end = stream.until(frame -> frame.event().equals("error"), PATIENCE);
      assertThat(Json.parse(end.data()).at("/error/code").textValue()).isEqualTo("unauthenticated");
      assertThat(end.id()).isEqualTo(last.id());
      assertThat(stream.untilEnd(PATIENCE)).endsWith(end);
    }
  }

  @Test
  void aWebSocketEndsWithItsClientAndSaysWhereItWas() throws Exception {
    JsonNode registered =
        run("oauth", "client", "create", "--scope", "events:read", "--scope", "sessions:write");
    ProtocolClient client = as(token(registered));
    try (SocketStream socket = client.socket(STREAM)) {
      newSession(client);
      JsonNode last = socket.untilEvent("session.created", PATIENCE);

      var revoked = run("oauth", "client", "revoke", registered.get("id").textValue());

      assertThat(revoked.get("id")).isEqualTo(registered.get("id"));
      JsonNode end = socket.until(frame -> frame.get("type").asText().equals("error"), PATIENCE);
      assertThat(end.at("/error/code").textValue()).isEqualTo("unauthenticated");
      assertThat(end.get("last_event_id")).isEqualTo(last.at("/event/id"));
      assertThat(socket.closeStatus(PATIENCE)).isEqualTo(OptionalInt.of(4401));
    }
  }

  private static void newSession(ProtocolClient client) {
    assertThat(
            client
                .post("/v1/sessions", Json.object().put("workspace_id", "default"))
                .json()
                .at("/object")
                .asText())
        .isEqualTo("session");
  }

  private ProtocolClient as(String bearer) {
    return new ProtocolClient(server.baseUrl(), bearer);
  }

  private String token(JsonNode client) throws Exception {
    String pair = client.get("id").textValue() + ":" + client.get("secret").textValue();
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(server.baseUrl() + "/oauth/token"))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)))
                    .POST(HttpRequest.BodyPublishers.ofString("grant_type=client_credentials"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    return Json.parse(answer.body()).get("access_token").textValue();
  }

  private JsonNode run(String first, String second, String... more) {
    String[] all = new String[more.length + 5];
    all[0] = first;
    all[1] = second;
    System.arraycopy(more, 0, all, 2, more.length);
    all[more.length + 2] = "--json";
    all[more.length + 3] = "--data-dir";
    all[more.length + 4] = directory.toString();
    return Json.parse(Commands.run(0, all).out());
  }
}

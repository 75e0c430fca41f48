package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An OAuth client as a party of the relay: its tokens act as the client's actor. */
@Tag("slow")
final class HarpTokenIT {
  @TempDir private Path directory;
  private LocalServer server;
  private HarpFolder folder;

  @BeforeEach
  void start() throws IOException {
    Path data = directory.resolve("data");
    server = LocalServer.start(LocalServerOptions.of(data).withoutDemoAgent().withHarpPort(0));
    folder = new HarpFolder(directory);
    folder.createDevice("phone");
    create("phone", "ada");
    create("tablet", "ben");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void create(String approver, String actor) {
    HarpFolder.harp(
        0,
        "parties",
        "create",
        approver,
        "--actor",
        actor,
        "--url",
        server.baseUrl().toString(),
        "--api-key",
        server.firstKey().orElseThrow());
  }

  /** Returns a token of a new client with one scope, as client credentials give it. */
  private String token(String actor, String scope) throws Exception {
    JsonNode client =
        Json.parse(
            Commands.run(
                    0,
                    "oauth",
                    "client",
                    "create",
                    "--actor",
                    actor,
                    "--scope",
                    scope,
                    "--json",
                    "--data-dir",
                    folder.path("data"))
                .out());
    String form =
        "grant_type=client_credentials&client_id="
            + client.path("id").asText()
            + "&client_secret="
            + client.path("secret").asText();
    HttpResponse<String> issued =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(server.baseUrl() + "/oauth/token"))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(form))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(issued.statusCode()).as(issued.body()).isEqualTo(200);
    return Json.parse(issued.body()).path("access_token").asText();
  }

  private Answer get(String token, String path) {
    return new ProtocolClient(server.harpUrl().orElseThrow(), token).get(path);
  }

  private Commands.Said relayed(String token, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--relay", server.harpUrl().orElseThrow().toString(), "--api-key", token));
    return HarpFolder.harp(0, all.toArray(String[]::new));
  }

  @Test
  void tokensOfClientsSubmitAndDecideWithTheirScopesAndNothingElse() throws Exception {
    String enforcer = token("ci", "harp:enforce");
    String approver = token("ada", "harp:approve");
    String request =
        folder.createArtifact("a", "{\"command\":\"make\",\"salt\":\"c2FsdA\"}", "phone");
    String[] submit = {
      "submit",
      "--enforcer",
      "ci",
      "--artifact",
      folder.path("a.sealed.json"),
      "--approver",
      "phone"
    };
    relayed(enforcer, submit);

    // Its own inbox, nobody else's, and with this scope only.
    Answer inbox = get(approver, "/v1/approvers/phone/inbox");
    assertThat(inbox.status()).isEqualTo(200);
    assertThat(inbox.json().at("/body/items/0/requestId").asText()).isEqualTo(request);
    assertThat(get(approver, "/v1/approvers/tablet/inbox").status()).isEqualTo(404);
    assertThat(get(approver, "/v1/enforcers/ci/inbox").status()).isEqualTo(403);
    assertThat(get(enforcer, "/v1/approvers/phone/inbox").status()).isEqualTo(403);
    assertThat(get(approver + "x", "/v1/approvers/phone/inbox").status()).isEqualTo(401);

    String relay = server.harpUrl().orElseThrow().toString();
    List<String> at = List.of("--relay", relay, "--api-key", approver);
    List<String> asked = new ArrayList<>(List.of("--approver", "phone", "--request", request));
    asked.addAll(at);
    folder.decide(0, "approve", "phone", asked);
    List<String> waiting = new ArrayList<>(List.of(submit));
    waiting.addAll(List.of("--wait", "1m", "--out", folder.path("d.json")));
    relayed(enforcer, waiting.toArray(String[]::new));
    assertThat(folder.enforce(0, "phone", "a.json", "d.json").out()).contains("allow, signed by");
  }
}

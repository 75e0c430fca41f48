package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Answer;
import dev.bridle.fixtures.client.Json;
import dev.bridle.fixtures.client.ProtocolClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page for phones at a relay that runs alone, which serves it only where it is asked to. */
@Tag("slow")
final class RelayPageIT {
  private static final String PAIRINGS = "/v1/approval-device-pairings";
  private static final String DEVICES = "/v1/approval-devices";

  @TempDir private Path directory;

  private ServerProcess start(String command, String... more) {
    List<String> options = new ArrayList<>(List.of("--data-dir", path("data"), "--harp-port", "0"));
    options.addAll(List.of("--grpc-port", "0"));
    options.addAll(List.of(more));
    return ServerProcess.start(
        BuiltBridle.java(), directory.resolve(command + ".log"), command, options);
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private ProtocolClient admin(ServerProcess server) throws IOException {
    return new ProtocolClient(
        server.url(), Files.readString(directory.resolve("admin.key")).strip());
  }

  private static Answer page(ServerProcess relay) {
    return new ProtocolClient(relay.harpUrl().orElseThrow(), "none").get("/approve/");
  }

  @Test
  void aRelayServesThePageAndPairsPhonesOnlyByOption() throws Exception {
    try (ServerProcess relay =
        start("harp-gateway", "--admin-port", "0", "--api-key-file", path("admin.key"))) {
      assertThat(page(relay).status()).isEqualTo(404);
      assertThat(admin(relay).get(DEVICES).status()).isEqualTo(404);
      assertThat(admin(relay).post(PAIRINGS, Json.object()).status()).isEqualTo(404);
      assertThat(relay.stop()).isEqualTo(ExitCodes.DONE);
    }
    try (ServerProcess relay = start("harp-gateway", "--admin-port", "0", "--approve-page")) {
      assertThat(page(relay).status()).isEqualTo(200);
      assertThat(admin(relay).get("/v1/tasks").status()).isEqualTo(404);
      String url =
          admin(relay)
              .post(PAIRINGS, Json.object().put("principal", "ada").put("name", "pocket"))
              .json()
              .path("url")
              .asText();
      assertThat(url).startsWith(relay.harpUrl().orElseThrow() + "/approve/#harp-pair:");
      accept(url.substring(url.indexOf('#') + 1));
      assertThat(relay.stop()).isEqualTo(ExitCodes.DONE);
    }
    try (ServerProcess server = start("up", "--http-port", "0")) {
      assertThat(admin(server).get(DEVICES).json().path("data"))
          .as("a server of the same storage")
          .singleElement()
          .satisfies(device -> assertThat(device.path("name").asText()).isEqualTo("pocket"));
      assertThat(server.stop()).isEqualTo(ExitCodes.DONE);
    }
  }

  private void accept(String link) throws IOException {
    Files.writeString(directory.resolve("passphrase"), "a long passphrase\n");
    String[] keys = {"--passphrase-file", path("passphrase")};
    Commands.run(0, with(new String[] {"harp", "keys", "create", path("phone.keys")}, keys));
    Commands.run(
        0,
        with(
            new String[] {
              "harp",
              "pair",
              "accept",
              link,
              "--approver",
              "pocket",
              "--keys",
              path("phone.keys"),
              "--token-out",
              path("phone.token")
            },
            keys));
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void thePublicUrlIsThatOfTheLink() throws Exception {
    try (ServerProcess relay =
        start(
            "harp-gateway",
            "--admin-port",
            "0",
            "--api-key-file",
            path("admin.key"),
            "--approve-page",
            "--public-url",
            "https://phones.example")) {
      assertThat(
              admin(relay)
                  .post(PAIRINGS, Json.object().put("principal", "ada"))
                  .json()
                  .path("url")
                  .asText())
          .startsWith("https://phones.example/approve/#harp-pair:");
      assertThat(relay.stop()).isEqualTo(ExitCodes.DONE);
    }
  }
}

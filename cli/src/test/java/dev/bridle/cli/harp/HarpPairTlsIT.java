package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.Bridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A device that knows a relay with TLS only by the key that the enforcer's QR code names. */
@Tag("slow")
final class HarpPairTlsIT {
  @TempDir private static Path directory;
  private static Commands commands;
  private static UpThread server;

  @BeforeAll
  static void start() throws IOException {
    commands = new Commands(directory);
    var unused =
        Commands.run(0, "tls", "create", "--dir", commands.path("tls"), "--name", "127.0.0.1");
    server =
        commands.start(
            "data",
            "--tls-cert",
            commands.path("tls/server.crt"),
            "--tls-key",
            commands.path("tls/server.key"),
            "--harp-port",
            "0");
    Files.writeString(directory.resolve("passphrase"), "a long passphrase\n");
    var unusedKeys =
        Commands.run(
            0,
            "harp",
            "keys",
            "create",
            commands.path("phone.keys"),
            "--passphrase-file",
            commands.path("passphrase"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String[] accept(String text, String token) {
    return new String[] {
      "harp",
      "pair",
      "accept",
      text,
      "--approver",
      "phone",
      "--keys",
      commands.path("phone.keys"),
      "--passphrase-file",
      commands.path("passphrase"),
      "--token-out",
      commands.path(token)
    };
  }

  @Test
  void aDeviceTrustsTheRelayWithThePinnedKeyAndNoOther() throws Exception {
    String[] offer = {
      "harp",
      "pair",
      "offer",
      "--enforcer",
      "ci",
      "--identity",
      commands.path("ci.identity"),
      "--out",
      commands.path("phone.json"),
      "--relay",
      server.harpUrl().toString(),
      "--ca-cert",
      commands.path("tls/ca.crt"),
      "--api-key-file",
      commands.path("data.key"),
      "--json"
    };
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Bridle.commandLine(offer).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> line.execute(offer));
    Awaitility.await()
        .atMost(3, TimeUnit.MINUTES)
        .until(() -> out.toString().contains("\n") || exit.isDone());
    assertThat(exit.isDone()).as("%s", err).isFalse();
    JsonNode shown = Json.parse(out.toString().lines().findFirst().orElseThrow());
    String text = shown.path("text").asText();
    assertThat(text).contains("&t=");

    String other = text.replaceFirst("&t=.{10}", "&t=AAAAAAAAAA");
    assertThat(Commands.run(3, accept(other, "no.token")).err())
        .contains("another key than the pinned one");
    assertThat(directory.resolve("no.token")).doesNotExist();

    assertThat(Commands.run(0, accept(text, "phone.token")).out()).contains("Enforcer ci");
    assertThat(exit.get(1, TimeUnit.MINUTES)).as("%s", err).isZero();
    assertThat(directory.resolve("phone.json")).exists();
  }
}

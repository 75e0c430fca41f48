package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.Bridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.cli.process.UpThread;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A watched inbox whose server stops and starts again, or is not reached any more. */
@Tag("slow")
final class HarpWatchIT {
  @TempDir private Path directory;

  private Commands commands;

  @BeforeEach
  void createDevice() throws IOException {
    commands = new Commands(directory);
    Files.writeString(directory.resolve("passphrase"), "a long passphrase\n");
    Files.writeString(
        directory.resolve("action.json"), "{\"command\":\"make\",\"salt\":\"c2FsdA\"}");
    Files.writeString(
        directory.resolve("phone.json"),
        Commands.run(
                0,
                "harp",
                "keys",
                "create",
                commands.path("phone.keys"),
                "--passphrase-file",
                commands.path("passphrase"),
                "--json")
            .out());
  }

  private void createApprover(UpThread server) {
    var unused =
        Commands.run(
            0,
            "harp",
            "parties",
            "create",
            "phone",
            "--url",
            server.url().toString(),
            "--api-key-file",
            commands.path("data.key"));
  }

  @Test
  void aConnectionOnWhichNothingComesIsOpenedAnew() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (UpThread server = commands.start("data", "--harp-port", "0", "--harp-ping", "500ms");
        LossyProxy proxy = LossyProxy.to(URI.create(server.harpUrl().toString()))) {
      createApprover(server);
      String relay = server.harpUrl().toString();
      String first = submit(commands, relay, "one");
      CompletableFuture<Integer> watched =
          watch(commands, proxy.url().toString(), out, err, "--idle-timeout", "5s");
      await().atMost(3, TimeUnit.MINUTES).until(() -> out.toString().contains("\n"));

      proxy.mute();
      String second = submit(commands, relay, "two");

      assertThat(watched.get(1, TimeUnit.MINUTES)).as("%s", err).isZero();
      assertThat(out.toString().lines().toList())
          .satisfiesExactly(
              line -> assertThat(line).startsWith(first),
              line -> assertThat(line).startsWith(second));
      assertThat(err.toString()).contains("the connection is lost", "reconnected");
    }
  }

  @Test
  void eachRequestIsShownOnceAcrossARestart() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CompletableFuture<Integer> watched;
    String first;
    String relay;
    try (UpThread server = commands.start("data", "--harp-port", "0")) {
      relay = server.harpUrl().toString();
      createApprover(server);
      first = submit(commands, relay, "one");
      watched = watch(commands, relay, out, err);
      await().atMost(3, TimeUnit.MINUTES).until(() -> out.toString().contains("\n"));
      assertThat(server.stop()).isZero();
    }
    await().atMost(3, TimeUnit.MINUTES).until(() -> err.toString().contains("is lost"));
    String port = relay.substring(relay.lastIndexOf(':') + 1);
    try (UpThread server = commands.start("data", "--harp-port", port)) {
      assertThat(server.harpUrl().toString()).isEqualTo(relay);
      String second = submit(commands, relay, "two");

      assertThat(watched.get(1, TimeUnit.MINUTES)).as("%s", err).isZero();

      assertThat(out.toString().lines().toList())
          .satisfiesExactly(
              line -> assertThat(line).startsWith(first),
              line -> assertThat(line).startsWith(second));
      assertThat(err.toString()).contains("reconnected");
    }
  }

  private static CompletableFuture<Integer> watch(
      Commands commands, String relay, StringWriter out, StringWriter err, String... more) {
    List<String> words =
        new ArrayList<>(List.of("harp", "watch", "--approver", "phone", "--count", "2"));
    words.addAll(List.of("--relay", relay, "--api-key-file", commands.path("data.key")));
    words.addAll(List.of(more));
    String[] arguments = words.toArray(String[]::new);
    CommandLine line =
        Bridle.commandLine(arguments).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return CompletableFuture.supplyAsync(() -> line.execute(arguments));
  }

  /** Submits a request, and returns its id. */
  private static String submit(Commands commands, String relay, String name) throws IOException {
    var unusedArtifact =
        Commands.run(
            0,
            "harp",
            "artifact",
            "--type",
            "command.review",
            "--payload",
            commands.path("action.json"),
            "--out",
            commands.path(name + ".json"),
            "--for",
            commands.path("phone.json"),
            "--sealed",
            commands.path(name + ".sealed.json"));
    var unusedSubmission =
        Commands.run(
            0,
            "harp",
            "submit",
            "--enforcer",
            "ci",
            "--artifact",
            commands.path(name + ".sealed.json"),
            "--approver",
            "phone",
            "--relay",
            relay,
            "--api-key-file",
            commands.path("data.key"));
    return Json.parse(Files.readString(Path.of(commands.path(name + ".json"))))
        .path("requestId")
        .asText();
  }
}

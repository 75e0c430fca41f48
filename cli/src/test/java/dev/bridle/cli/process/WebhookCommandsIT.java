package dev.bridle.cli.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks from the command line, to somebody who fails in ways that HTTP has no words for. */
@Tag("slow")
final class WebhookCommandsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private ServerSocket rude;
  private final AtomicInteger heard = new AtomicInteger();

  @BeforeEach
  void listen() throws IOException {
    rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::answer, "rude");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void close() throws IOException {
    rude.close();
  }

  /** Hangs up at once, or speaks no HTTP. */
  private void answer() {
    while (!rude.isClosed()) {
      try (Socket connection = rude.accept()) {
        if (heard.getAndIncrement() % 2 == 0) {
          connection.getOutputStream().write("SSH-2.0-OpenSSH_9.9\r\n".getBytes(US_ASCII));
          connection.getOutputStream().flush();
          connection.shutdownOutput();
          while (connection.getInputStream().read() >= 0) {
            // What is asked does not matter.
          }
        }
      } catch (IOException e) {
        // The other side hung up, or this is closed.
      }
    }
  }

  @Test
  void webhooksAreMadeTriedPausedAndTheirDeadLettersSettledWithoutNoiseInTheLog()
      throws IOException {
    Commands commands = new Commands(directory);
    try (UpThread server =
        commands.start("data", "--no-demo-agent", "--allow-outbound", "127.0.0.1")) {
      List<String> at = commands.at(server.url(), "data");
      String webhook =
          id(
              said(
                  0,
                  at,
                  "webhook",
                  "create",
                  "--workspace",
                  "default",
                  "--to",
                  "http://127.0.0.1:" + rude.getLocalPort() + "/hook",
                  "--event-kind",
                  "task.completed",
                  "--set",
                  "{\"retry_seconds\":1}",
                  "--json"));
      assertThat(said(0, at, "webhook", "list", "--workspace", "default").out())
          .contains(webhook, "ACTIVE", "generic");
      assertThat(
              said(0, at, "webhook", "update", webhook, "--set", "{\"task_statuses\":[\"FAILED\"]}")
                  .out())
          .contains(webhook);
      assertThat(
              said(1, at, "webhook", "create", "--workspace", "default", "--to", "ftp://a").err())
          .contains("invalid_request at url");

      String test = id(said(0, at, "webhook", "test", webhook, "--json"));
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  said(0, at, "webhook", "delivery", "list", webhook, "--status", "failed")
                      .out()
                      .contains(test));
      assertThat(said(0, at, "webhook", "delivery", "get", webhook, test, "--json").out())
          .contains("broken_answer");
      assertThat(said(0, at, "webhook", "get", webhook).out()).contains("FAILED");
      assertThat(said(0, at, "webhook", "resume", webhook).out()).contains("ACTIVE");
      assertThat(said(0, at, "webhook", "delivery", "redeliver", webhook, test).out())
          .contains("WAITING");
      await().atMost(PATIENCE).until(() -> heard.get() > 1);
      await()
          .atMost(PATIENCE)
          .until(() -> said(0, at, "webhook", "get", webhook).out().contains("FAILED"));
      assertThat(said(0, at, "webhook", "delivery", "drop", webhook, test).out())
          .contains("DROPPED");
      assertThat(said(0, at, "webhook", "pause", webhook).out()).contains("PAUSED");
      assertThat(said(0, at, "webhook", "delete", webhook).out()).contains("is deleted");
      assertThat(said(1, at, "webhook", "get", webhook).err()).contains("resource_not_found");
    }
    assertThat(Files.readString(directory.resolve("data.log")))
        .as("whoever fails outside fills no log here")
        .doesNotContain("Exception", "\tat ");
  }

  private static Commands.Said said(int exitCode, List<String> at, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(at);
    return Commands.run(exitCode, all.toArray(String[]::new));
  }

  private static String id(Commands.Said said) {
    return Json.parse(said.out()).get("id").textValue();
  }
}

package dev.bridle.cli.rest;

import static dev.bridle.cli.rest.DroppingServer.half;
import static dev.bridle.cli.rest.DroppingServer.stream;
import static dev.bridle.cli.rest.DroppingServer.whole;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What commands do when the connection to the server breaks or can't be made. */
final class BrokenConnectionTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final RetryPolicy PATIENT = new RetryPolicy(LONG, LONG, PAUSE);
  private static final RetryPolicy HASTY = new RetryPolicy(Duration.ZERO, Duration.ZERO, PAUSE);
  private static final String TASK = "{\"id\":\"task_1\",\"status\":\"SUBMITTED\"}";

  private final List<String> notices = new ArrayList<>();

  @Test
  void aCommandIsSentAgainUnderItsKeyUntilItsAnswerIsWhole() throws IOException {
    try (DroppingServer server = DroppingServer.start("", half(TASK), whole(TASK))) {
      var task = client(server.url(), PATIENT).post("/v1/tasks", JsonLines.object(), "key-1");

      assertThat(task.path("id").asText()).isEqualTo("task_1");
      assertThat(server.requests())
          .hasSize(3)
          .allSatisfy(
              request -> assertThat(request).startsWith("POST /v1/tasks").contains("key-1"));
      assertThat(notices).singleElement().asString().contains("was lost; retrying");
    }
  }

  @Test
  void aReadIsSentAgain() throws IOException {
    try (DroppingServer server = DroppingServer.start(half(TASK), half(TASK), whole(TASK))) {
      assertThat(client(server.url(), PATIENT).get("/v1/tasks/task_1").path("id").asText())
          .isEqualTo("task_1");
      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void aCallWithoutAKeyIsSentOnceAndSaysThatItsOutcomeIsUnknown() throws IOException {
    try (DroppingServer server = DroppingServer.start(half(TASK), whole(TASK))) {
      CommandFailed failed =
          failure(() -> client(server.url(), PATIENT).put("/v1/a", "x".getBytes(UTF_8), "a/b"));

      assertThat(failed).hasMessageContaining("unknown").hasMessageContaining("run the command");
      assertThat(failed.exitCode()).isEqualTo(ExitCodes.FAILED);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aConnectionThatBreaksAgainAndAgainIsNoMissingServer() throws IOException {
    try (DroppingServer server = DroppingServer.start()) {
      CommandFailed failed = failure(() -> client(server.url(), HASTY).get("/v1/tasks"));

      assertThat(failed)
          .hasMessageContaining("was lost before the response arrived")
          .hasMessageNotContaining("No server");
      assertThat(failed.exitCode()).isEqualTo(ExitCodes.FAILED);
    }
  }

  @Test
  void nothingThatListensIsAMissingServer() throws IOException {
    URI nobody = DroppingServer.url(DroppingServer.freePort());
    CommandFailed failed = failure(() -> client(nobody, HASTY).get("/v1/tasks"));

    assertThat(failed).hasMessageContaining("No server responds at " + nobody);
    assertThat(failed.exitCode()).isEqualTo(ExitCodes.UNREACHABLE);
  }

  @Test
  void aServerThatListensOnlyLaterIsWaitedForEvenWithoutAKey() throws IOException {
    int port = DroppingServer.freePort();
    RestClient client = client(DroppingServer.url(port), PATIENT);
    CompletableFuture<Void> uploaded =
        CompletableFuture.runAsync(() -> client.put("/v1/a", "x".getBytes(UTF_8), "a/b"));
    try (DroppingServer server = DroppingServer.startOn(port, whole(TASK))) {
      assertThat(uploaded).succeedsWithin(LONG);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void whatDoesNotSpeakHttpIsNotTriedAgain() throws IOException {
    try (DroppingServer server = DroppingServer.start("\0\0\0\7 no HTTP\r\n\r\n", whole(TASK))) {
      CommandFailed failed = failure(() -> client(server.url(), PATIENT).get("/v1/tasks"));

      assertThat(failed).hasMessageContaining("does not speak HTTP");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aStreamGoesOnBehindItsLastEvent() throws IOException {
    String first = stream("id: e1\nevent: a\ndata: {}\n\nid: e2\nevent: b\ndata: {");
    String second = stream("id: e2\nevent: b\ndata: {}\n\n");
    try (DroppingServer server = DroppingServer.start(first, "", second)) {
      List<String> kinds = new ArrayList<>();
      new ResumingStream(client(server.url(), PATIENT), "/stream", notices::add)
          .readWhile(
              event -> {
                kinds.add(event.kind());
                return !event.kind().equals("b");
              });

      assertThat(kinds).containsExactly("a", "b");
      assertThat(server.requests().get(2)).contains("e1");
      assertThat(notices)
          .containsExactly("the connection is lost; retrying", "reconnected, Last-Event-ID: e1");
    }
  }

  @Test
  void aStreamThatOnlyEndsIsGivenUp() throws IOException {
    try (DroppingServer server = DroppingServer.start(stream(""), stream(""))) {
      CommandFailed failed =
          failure(
              () ->
                  new ResumingStream(client(server.url(), HASTY), "/stream", notices::add)
                      .readWhile(event -> true));

      assertThat(failed.exitCode()).isEqualTo(ExitCodes.FAILED);
    }
  }

  @Test
  void aCommandAtTheTerminalOutlivesBrokenConnectionsAndSaysSo() throws IOException {
    String page = "{\"data\":[" + TASK + "],\"page\":{\"has_more\":false}}";
    try (DroppingServer server = DroppingServer.start("", half(page), whole(page))) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int exitCode =
          Bridle.commandLine()
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(err))
              .execute("task", "list", "--url", server.url().toString(), "--api-key", "k");

      assertThat(exitCode).as("%s", err).isZero();
      assertThat(out.toString()).contains("task_1");
      assertThat(err.toString()).contains("retrying");
    }
  }

  private RestClient client(URI url, RetryPolicy policy) {
    return new RestClient(url, "key", policy, notices::add);
  }

  private static CommandFailed failure(ThrowingCallable call) {
    return catchThrowableOfType(CommandFailed.class, call);
  }
}

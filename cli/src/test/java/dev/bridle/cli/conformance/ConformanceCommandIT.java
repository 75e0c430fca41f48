package dev.bridle.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.up.RunningServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;

/** The command against the real server, one that answers nonsense, and none. */
class ConformanceCommandIT {

  @RegisterExtension static final RunningServer SERVER = new RunningServer();

  @Test
  void aServerThatKeepsTheProtocolPasses() {
    Ran ran = run(ours("--story", "Idempotency", "--story", "Questions"));

    assertThat(ran.exitCode()).as(ran.all()).isEqualTo(ExitCodes.DONE);
    assertThat(ran.lines())
        .contains(
            "passed   Questions: a question is answered once",
            "passed   Idempotency: a retry after the task went on gets the first answer",
            "skipped  Idempotency: a key counts for one actor only",
            "         no key of another tenant is given");
    assertThat(ran.last()).matches("[1-9]\\d+ passed, 0 failed, 1 skipped\\.");
  }

  @Tag("slow")
  @Test
  void aServerThatIssuesReceiptsPassesTheirLevel() {
    Ran ran = run(ours("--level", "receipts", "--story", "Receipts", "--story", "Questions"));

    assertThat(ran.exitCode()).as(ran.all()).isEqualTo(ExitCodes.DONE);
    assertThat(ran.lines())
        .contains(
            "passed   Questions: a question is answered once",
            "passed   Receipts: a receipt states a hash that anybody can recompute",
            "passed   Receipts: receipts of a session link by their hashes");
    assertThat(ran.last()).matches("[1-9]\\d+ passed, 0 failed, 1 skipped\\.");
  }

  @Tag("slow")
  @Test
  void aServerThatReplaysPassesThatLevel() {
    Ran ran = run(ours("--level", "replay", "--story", "Replays"));

    assertThat(ran.exitCode()).as(ran.all()).isEqualTo(ExitCodes.DONE);
    assertThat(ran.lines())
        .contains(
            "passed   Replays: what is replayed is marked and names both tasks",
            "passed   Replays: the same source makes the same receipt each time",
            "passed   Replays: the tasks of a session are replayed in their order");
    assertThat(ran.last()).matches("[1-9]\\d+ passed, 0 failed, 1 skipped\\.");
  }

  @Tag("slow")
  @Test
  void aServerThatAdvertisesNoReceiptsIsNotHeldToThem() throws IOException {
    try (WithoutReceipts server = new WithoutReceipts(SERVER.description().baseUrl())) {
      Ran ran =
          run(
              "--target",
              server.url(),
              "--api-key",
              SERVER.description().apiKey(),
              "--level",
              "receipts",
              "--story",
              "Receipts",
              "--story",
              "OperationWalk");

      assertThat(ran.exitCode()).as(ran.all()).isEqualTo(ExitCodes.DONE);
      assertThat(ran.lines())
          .contains(
              "passed   OperationWalk: the served document says what is published",
              "skipped  Receipts: the story begins",
              "         the server does not advertise receipts");
      assertThat(ran.all()).doesNotContain("passed   Receipts").doesNotContain("getReceipt");
    }
  }

  @Tag("slow")
  @Test
  void aLevelHasOnlyItsOwnStories() {
    for (String level : List.of("core", "extended")) {
      for (String story : List.of("Receipts", "Replays")) {
        assertThat(run(ours("--level", level, "--story", story)).last())
            .as(level)
            .contains("--story");
      }
    }
    assertThat(run(ours("--level", "receipts", "--story", "Replays")).last()).contains("--story");
    assertThat(run(ours("--level", "replay", "--story", "Receipts")).last()).contains("--story");
    assertThat(run(ours("--level", "receipts", "--story", "SignedCards")).last())
        .contains("--story");
  }

  @Tag("slow")
  @Test
  void whatTheAgentDoesNotDoIsSkippedWithTheReason() {
    Ran ran =
        run(
            ours(
                "--story", "Questions", "--story", "MainJob", "--task-input", "one two", "--json"));

    assertThat(ran.exitCode()).as(ran.all()).isEqualTo(ExitCodes.DONE);
    List<JsonNode> checks = ran.json();
    assertThat(checks)
        .filteredOn(check -> check.path("verdict").asText().equals("skipped"))
        .extracting(check -> check.path("reason").asText())
        .contains("no input is known that has the server's agent ask a question")
        .allSatisfy(reason -> assertThat(reason).contains("the server's agent"));
    assertThat(checks)
        .anySatisfy(
            check -> {
              assertThat(check.path("name").asText())
                  .startsWith("a task is submitted watched and its report downloaded");
              assertThat(check.path("verdict").asText()).isEqualTo("passed");
            });
  }

  @Tag("slow")
  @Test
  void aServerThatAnswersNonsenseFailsAndIsToldWhatWasExpected() throws IOException {
    HttpServer nonsense =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    nonsense.createContext(
        "/",
        exchange -> {
          byte[] body = "{\"data\":[{\"id\":\"x\"}]}".getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    nonsense.start();
    try {
      Ran ran =
          run(
              "--target",
              "http://127.0.0.1:" + nonsense.getAddress().getPort(),
              "--api-key",
              "the-secret-key",
              "--story",
              "Cancellation");

      assertThat(ran.exitCode()).as(ran.all()).isEqualTo(ExitCodes.NOT_CONFORMING);
      assertThat(ran.lines())
          .anySatisfy(line -> assertThat(line).startsWith("FAILED   Cancellation: "))
          .anySatisfy(
              line -> assertThat(line).containsIgnoringCase("expected: 201").contains("200"))
          .contains("         required by the protocol's section 'Task lifecycle'");
      assertThat(ran.all()).doesNotContain("the-secret-key");
    } finally {
      nonsense.stop(0);
    }
  }

  @Tag("slow")
  @Test
  void noServerAndAnUnknownKeyAreOneSentence() {
    Ran nobody = run("--target", "http://127.0.0.1:1", "--api-key", "key");
    assertThat(nobody.exitCode()).isEqualTo(ExitCodes.UNREACHABLE);
    assertThat(nobody.lines()).hasSize(1);

    Ran unknown = run("--target", SERVER.description().baseUrl().toString(), "--api-key", "no-key");
    assertThat(unknown.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(unknown.lines()).hasSize(1);
  }

  @Test
  void aLevelOrStoryThatIsNoneIsRefused() {
    Ran unknown = run(ours("--level", "highest"));
    assertThat(unknown.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(unknown.all()).contains("expected core, extended, receipts or replay");
    Ran none = run(ours("--story", "Nobody"));
    assertThat(none.exitCode()).isEqualTo(ExitCodes.NOT_CONFORMING);
    assertThat(none.last()).contains("--story");
  }

  private static String[] ours(String... more) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--target", SERVER.description().baseUrl().toString()));
    arguments.addAll(List.of("--api-key", SERVER.description().apiKey()));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private static Ran run(String... arguments) {
    StringWriter told = new StringWriter();
    CommandLine line = Bridle.commandLine();
    line.setOut(new PrintWriter(told));
    line.setErr(new PrintWriter(told));
    List<String> all = new ArrayList<>(List.of("conformance"));
    all.addAll(List.of(arguments));
    int exitCode = line.execute(all.toArray(String[]::new));
    return new Ran(exitCode, told.toString());
  }

  /** What a run came to. */
  private record Ran(int exitCode, String all) {
    List<String> lines() {
      return all.lines().toList();
    }

    String last() {
      return lines().get(lines().size() - 1);
    }

    List<JsonNode> json() {
      return lines().stream().map(line -> JsonLines.parse(line).orElseThrow()).toList();
    }
  }
}

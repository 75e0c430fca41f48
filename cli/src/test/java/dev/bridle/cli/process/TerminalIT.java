package dev.bridle.cli.process;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see at a terminal: headings of lists, and how to answer a task that waits. */
final class TerminalIT {
  @TempDir private Path directory;
  private Commands commands;
  private UpThread server;

  @BeforeEach
  void start() {
    commands = new Commands(directory);
    server = commands.start("data");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void listsHaveHeadingsAtATerminalAlone() {
    String task = commands.completedTask(server, "data");
    assertThat(Commands.runAtTerminal(remote("task", "list")).lines().toList())
        .hasSize(2)
        .first()
        .asString()
        .matches("ID +STATUS +CREATED AT +SESSION");
    assertThat(run(0, remote("task", "list")).out().lines())
        .singleElement()
        .asString()
        .startsWith(task + "  COMPLETED       ");
    assertThat(headings(remote("session", "list")))
        .matches("ID +WORKSPACE ID +STATE +CREATED AT.*");
    assertThat(headings(remote("permission", "list"))).startsWith("ID  STATUS  EXPIRES AT");
    assertThat(headings(remote("grant", "list"))).startsWith("ID  SCOPE");
    assertThat(headings(remote("workspace", "files", "ls", "default"))).contains("PATH");
    assertThat(headings(local("apikey", "list"))).matches("ID +TENANT +ACTOR +CREATED AT +SCOPES");
    assertThat(headings(local("tenant", "list"))).matches("TENANT +CREATED AT +KEEPS EVENTS");
    assertThat(headings(local("oauth", "client", "list"))).startsWith("ID  TENANT");
    assertThat(headings(local("oauth", "key", "list"))).startsWith("ID");
    assertThat(headings(local("storage", "stats"))).startsWith("TENANT");
  }

  @Tag("slow")
  @Test
  void aTaskThatWaitsForApprovalEndsWithTheCommandThatGivesIt() {
    String act = "{\"act\":{\"tool\":\"shell\",\"command\":\"ls\"}}";
    Commands.Said said = run(5, remote("task", "submit", "--json-input", act, "--watch"));

    List<String> answers = answers(said);
    assertThat(answers).hasSize(2);
    assertThat(answers.get(0)).startsWith("bridle permission approve permission_");
    assertThat(answers.get(1)).startsWith("bridle permission deny permission_");
    assertThat(run(0, words(answers.get(0))).out()).contains("approved");
    assertThat(run(0, remote("task", "watch", id(said))).out()).contains("task.completed");
  }

  @Tag("slow")
  @Test
  void aTaskThatAsksEndsWithTheCommandThatAnswersIt() {
    Commands.Said said =
        run(5, remote("task", "submit", "--json-input", "{\"ask\":\"Which?\"}", "--watch"));

    List<String> answers = answers(said);
    assertThat(answers).hasSize(1);
    assertThat(answers.get(0)).startsWith("bridle task answer " + id(said) + " --text 'ANSWER'");
    run(0, words(answers.get(0)));
    assertThat(run(0, remote("task", "watch", id(said))).out()).contains("task.completed");
  }

  @Tag("slow")
  @Test
  void aTaskThatWantsAToolEndsWithTheCommandThatTellsItsResult() {
    String input = "{\"host_tool\":{\"name\":\"open_file\",\"input\":{}}}";
    String task = id(run(5, remote("task", "submit", "--json-input", input, "--watch")));
    String request =
        run(0, remote("permission", "list", "--pending", "--task", task)).out().split(" ", 2)[0];
    run(0, remote("permission", "approve", request));

    Commands.Said said = run(5, remote("task", "watch", task, "--stop-at-question"));

    assertThat(answers(said)).hasSize(1);
    assertThat(answers(said).get(0))
        .matches("bridle task answer " + task + " --call \\S+ --result 'JSON' --url .*");
  }

  @Tag("slow")
  @Test
  void contentIsRedactedOnlyOnceAPersonHasConfirmedIt() {
    String task = commands.completedTask(server, "data");

    String refused = Commands.runTyping("yes\n", 1, remote("redact", "--task", task));
    assertThat(refused).contains("the content of 1 item", "Type 'redact' to continue: ");
    assertThat(run(0, remote("redaction", "list")).out()).isEmpty();
    var unanswered = Commands.runTyping("", 1, remote("redact", "--task", task));
    assertThat(unanswered).doesNotContain("erased");
    assertThat(Commands.runTyping("redact\n", 0, remote("redact", "--task", task)))
        .contains("erased the content of");

    assertThat(run(0, remote("redaction", "list")).out()).contains("done");
  }

  /** Returns the commands that are offered. */
  private static List<String> answers(Commands.Said said) {
    return said.err()
        .lines()
        .filter(line -> line.startsWith("  bridle "))
        .map(String::strip)
        .toList();
  }

  private static String[] words(String command) {
    String[] all = command.replace("'", "").split(" ");
    return List.of(all).subList(1, all.length).toArray(String[]::new);
  }

  private static String id(Commands.Said said) {
    return said.out().split(" ", 2)[0];
  }

  private static String headings(String... arguments) {
    return Commands.runAtTerminal(arguments).lines().findFirst().orElseThrow();
  }

  private String[] remote(String... words) {
    return with(
        words, "--url", server.url().toString(), "--api-key-file", commands.path("data.key"));
  }

  private String[] local(String... words) {
    return with(words, "--data-dir", commands.path("data"));
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}

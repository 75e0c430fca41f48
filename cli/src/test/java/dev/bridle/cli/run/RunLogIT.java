package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bridle log} shows of the tasks of {@code bridle run}. */
final class RunLogIT {
  private static final List<String> UPDATES =
      List.of(
          "{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':'A '}}",
          "{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':'B ',"
              + "'annotations':{'priority':0.5},'_meta':{'x.example/seq':2}}}",
          "{'sessionUpdate':'agent_message_chunk','content':{'type':'resource_link',"
              + "'uri':'file:///w/notes.md','name':'notes.md'}}",
          "{'sessionUpdate':'tool_call','toolCallId':'c1','title':'Run make','kind':'execute',"
              + "'status':'pending','rawInput':{'command':'make all'}}",
          "{'sessionUpdate':'tool_call_update','toolCallId':'c1','status':'completed','content':["
              + "{'type':'content','content':{'type':'text','text':'1\\n2\\n3\\n4\\n5\\n6\\n7\\n"
              + "built\\u001b[31m'}}]}",
          "{'sessionUpdate':'tool_call','toolCallId':'c2','title':'Edit a.txt','kind':'edit',"
              + "'status':'completed','content':[{'type':'diff','path':'/w/a.txt',"
              + "'oldText':'one\\n','newText':'two\\n'}]}");

  @TempDir private static Path directory;
  private static ScriptedProject project;

  @BeforeAll
  static void make() throws IOException {
    project = ScriptedProject.in(directory);
  }

  @AfterAll
  static void stopServer() throws IOException {
    project.stopServer();
  }

  private static String log(int exitCode, String... more) {
    List<String> words = new ArrayList<>(List.of("log", "last", "--dir"));
    words.add(project.folder().toString());
    words.addAll(List.of("--data-dir", project.data().toString()));
    words.addAll(List.of(more));
    return Commands.run(exitCode, words.toArray(String[]::new)).out();
  }

  @Test
  void inputAndOutputOfACallAreAtTheTerminalAndInTheRecord() throws IOException {
    Files.write(
        project.folder().resolve("updates"),
        UPDATES.stream().map(update -> update.replace('\'', '"')).toList());

    String run = project.run(0, "--approve", "deny", "--prompt", "report updates").out();
    assertThat(run)
        .contains("│ A B [notes.md](file:///w/notes.md)")
        .contains("⟨… 2 lines before⟩", "│ built⟨U+001B⟩[31m", "│ /w/a.txt  +1 -1")
        .doesNotContain("│ 2\n")
        .containsPattern("done, with receipt_\\w+\nbridle: what was done: bridle log last --dir ");

    String log = log(0);
    assertThat(log)
        .containsSubsequence(
            "completed, begun ",
            "  user (" + TerminalPerson.name() + ")",
            "│ report updates",
            "  agent\n│ A B [notes.md](file:///w/notes.md)",
            "  execute: Run make\n│ command: make all",
            "  Run make: completed, which nobody had allowed\n│ 1\n│ 2\n",
            "│ built⟨U+001B⟩[31m",
            "  Edit a.txt: completed",
            "│ --- /w/a.txt",
            "│ -one\n│ +two",
            "receipt: receipt_");
    assertThat(log).containsOnlyOnce("[notes.md]").doesNotContain("\u001b");

    List<JsonNode> events = log(0, "--json").lines().map(Json::parse).toList();
    assertThat(events)
        .filteredOn(event -> event.path("event").asText().equals("agent.tool_result"))
        .extracting(event -> event.at("/payload/output/0/type").asText())
        .containsExactly("text", "diff");
    assertThat(events)
        .filteredOn(event -> event.path("event").asText().equals("agent.message"))
        .extracting(event -> event.at("/payload/parts/0/text").asText())
        .containsExactly("A B [notes.md](file:///w/notes.md)");
  }

  @Test
  void whatWasDeniedSaysByWhom() {
    assertThat(project.run(12, "--approve", "deny", "--prompt", "make it").out())
        .contains("all that the agent asked for was denied");

    assertThat(log(0))
        .containsSubsequence(
            "  asks for permission: make it (permission_",
            "│ command: touch it",
            "  denied by " + TerminalPerson.name(),
            "(rest)",
            "  make it: failed",
            "│ not made",
            "completed");
    assertThat(verifiedEvidence())
        .contains(
            "approval permission_",
            "    " + TerminalPerson.name() + " denied by rest at ",
            ": the server's word, no device has signed it");
  }

  /** Returns what a verification without the server says of the newest task's approvals. */
  private static String verifiedEvidence() {
    Matcher receipt = Pattern.compile("receipt: (receipt_\\w+)").matcher(log(0));
    assertThat(receipt.find()).isTrue();
    String bundle = directory.resolve("evidence.jsonl").toString();
    try {
      var unused =
          Commands.run(
              0,
              "receipt",
              "evidence",
              receipt.group(1),
              "--output",
              bundle,
              "--url",
              project.server().httpUrl(),
              "--api-key-file",
              project.data().resolve(DetachedServer.KEY_FILE).toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Commands.run(9, "receipt", "verify", "--evidence", bundle).out();
  }

  @Test
  @Tag("slow")
  void aTaskThatWaitsIsFollowedToItsEnd() throws Exception {
    var unused = project.run(5, "--no-wait", "--prompt", "make it");
    assertThat(log(0)).contains("auth required, begun", "asks for permission: make it");

    CompletableFuture<String> followed = CompletableFuture.supplyAsync(() -> log(0, "--follow"));
    unused = project.run(12, "--approve", "deny", "--prompt", "");

    assertThat(followed.get(3, TimeUnit.MINUTES)).contains("│ not made", "receipt: receipt_");
  }

  @Test
  void whereNothingRanItSaysSo() {
    String none = directory.resolve("none").toString();

    assertThat(Commands.run(1, "log", "last", "--data-dir", none).err())
        .contains("There is no data of 'bridle run' in " + none);
  }
}

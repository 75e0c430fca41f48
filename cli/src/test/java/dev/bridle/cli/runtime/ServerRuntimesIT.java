package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.process.IsolationTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that clients submit over REST, for agents that the server starts. */
final class ServerRuntimesIT {
  @TempDir private static Path directory;
  private static RuntimeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new RuntimeServer(directory);
    server.write(server.runtime("session"));
    server.start();
  }

  @AfterAll
  static void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  @Test
  void anAgentWorksInItsWorkspacesFolderOnceItIsAllowedTo() throws Exception {
    String session = server.session();
    String task = server.submit(session, "make one.txt");
    server.awaitStatus(task, "AUTH_REQUIRED");
    assertThat(server.folder().resolve("one.txt")).doesNotExist();

    server.answer(task, true, "");

    server.awaitStatus(task, "COMPLETED");
    assertThat(server.folder().resolve("one.txt")).hasContent("made");

    String refused = server.submit(session, "make two.txt");
    server.awaitStatus(refused, "AUTH_REQUIRED");
    server.answer(refused, false, "not today");
    server.awaitStatus(refused, "COMPLETED");
    assertThat(server.folder().resolve("two.txt")).doesNotExist();
    assertThat(server.folder().resolve("prompts")).content().contains("not today");

    String canceled = server.submit(session, "wait");
    server.awaitStatus(canceled, "WORKING");
    server.awaitEvent(canceled, "vendor.agent_host.text");
    server.cancel(canceled);
    server.awaitStatus(canceled, "CANCELED");
  }

  @Tag("slow")
  @Test
  void anAgentUsesTheHostsToolsWithPermission() throws Exception {
    String session = server.session();
    String write =
        server.submit(session, "tool write_file {\"path\":\"a.txt\",\"content\":\"one fish\\n\"}");
    server.awaitStatus(write, "AUTH_REQUIRED");
    assertThat(server.request(write).at("/action/kind").asText()).isEqualTo("edit");
    assertThat(server.request(write).at("/action/content/content").asText())
        .isEqualTo("one fish\n");
    assertThat(server.folder().resolve("a.txt")).doesNotExist();
    server.answer(write, true, "");
    server.awaitStatus(write, "COMPLETED");
    assertThat(server.folder().resolve("a.txt")).hasContent("one fish");

    assertThat(server.said(session, "tool search_files {\"text\":\"fish\"}"))
        .contains("\"path\":\"a.txt\"", "\"line\":1");
    assertThat(server.said(session, "tool read_file {\"path\":\"../../../etc/passwd\"}"))
        .contains("leads out of the folder");

    String run = server.submit(session, "tool run_command {\"command\":\"echo hi; exit 3\"}");
    server.awaitStatus(run, "AUTH_REQUIRED");
    server.answer(run, true, "");
    server.awaitStatus(run, "COMPLETED");
    assertThat(server.text(run)).contains("\"exit_code\":3", "hi");

    String denied = server.submit(session, "tool run_command {\"command\":\"touch never\"}");
    server.awaitStatus(denied, "AUTH_REQUIRED");
    server.answer(denied, false, "no commands");
    server.awaitStatus(denied, "COMPLETED");
    assertThat(server.text(denied)).contains("no commands");
    assertThat(server.folder().resolve("never")).doesNotExist();

    String word = server.submit(session, "word w.txt");
    server.awaitStatus(word, "AUTH_REQUIRED");
    server.answer(word, false, "not that file");
    server.awaitStatus(word, "COMPLETED");
    assertThat(server.text(word)).contains("denied: not that file");

    String other = server.submit(session, "word w.txt");
    server.awaitStatus(other, "AUTH_REQUIRED");
    assertThat(server.request(other).at("/action/said/declaredPaths/0").asText())
        .isEqualTo("w.txt");
    server.answer(
        other,
        JsonLines.object()
            .put("approved", true)
            .set("arguments", JsonLines.object().put("name", "instead.txt")));
    server.awaitStatus(other, "COMPLETED");
    assertThat(server.folder().resolve("w.txt")).doesNotExist();
    assertThat(server.folder().resolve("instead.txt")).hasContent("made");
  }

  @Tag("slow")
  @Test
  void anAgentFindsNothingOfItsServersData() throws Exception {
    boolean isHidden =
        Files.readString(server.log()).contains(IsolationTier.HIDDEN_FOLDER.promise());
    if (!isHidden) {
      System.out.println("Skipped: this system hides no folder from the agents of a server.");
    }
    assumeTrue(isHidden, "no folder is hidden");
    Path data = directory.resolve("data").toRealPath();
    Files.createDirectories(server.folder());
    Files.writeString(
        server.folder().resolve("look"),
        """
        exec > found 2>&1
        find DATA; cat DATA/* DATA/*/*; umount DATA; chmod 777 DATA; find DATA
        for p in /proc/[0-9]*; do find $p/root/DATA $p/cwd/DATA; done
        exit 0
        """
            .replace("DATA", data.toString()));
    server.awaitStatus(server.submit(server.session(), "run look"), "COMPLETED");

    String found = Files.readString(server.folder().resolve("found"));
    assertThat(found).as("it has looked").contains(data.toString());
    try (Stream<Path> files = Files.list(data)) {
      assertThat(files.map(Path::toString)).isNotEmpty().noneMatch(found::contains);
    }
  }

  @Tag("slow")
  @Test
  void theHostsReadingToolsPassThePolicyAndAskNobody() throws Exception {
    Files.createDirectories(server.folder());
    Files.writeString(server.folder().resolve("read.txt"), "two fish");
    String reads = "tool read_file {\"path\":\"read.txt\"}";
    String keeps = "tool create_artifact {\"content\":\"kept\"}";

    String task = server.submit(server.session(server.persona("reader", "read_file")), reads);
    server.awaitStatus(task, "COMPLETED");
    assertThat(server.text(task)).contains("two fish");
    assertThat(server.payloads(task, "vendor.bridle.action_allowed"))
        .singleElement()
        .satisfies(
            payload ->
                assertThat(payload)
                    .contains(
                        "\"kind\":\"read\"",
                        "\"tool\":\"read_file\"",
                        "\"arguments\":{\"path\":\"read.txt\"}"));

    String lister = server.session(server.persona("lister", "list_files"));
    assertThat(server.said(lister, reads)).contains("Not allowed (denied): The persona may not");
    assertThat(server.said(lister, "tool search_files {\"text\":\"fish\"}"))
        .contains("Not allowed");
    assertThat(server.said(lister, keeps)).contains("Not allowed");
    assertThat(server.said(server.session(), keeps)).contains("artifact_id");
  }

  @Tag("slow")
  @Test
  void anAgentListsFilesAndAsksAPersonThroughTheHost() throws Exception {
    Files.createDirectories(server.folder().resolve("deep/deeper"));
    Files.writeString(server.folder().resolve("deep/deeper/leaf"), "");
    String session = server.session();

    assertThat(server.said(session, "tool list_files {\"path\":\"deep\",\"depth\":2}"))
        .contains("\"entries\":[\"deep/deeper/\",\"deep/deeper/leaf\"]", "\"truncated\":false");
    assertThat(server.said(session, "tool list_files {\"path\":\"..\"}"))
        .contains("leads out of the folder");

    String asks = server.submit(session, "tool ask_person {\"question\":\"Which colour?\"}");
    server.awaitStatus(asks, "INPUT_REQUIRED");
    assertThat(server.events(asks).toString()).contains("Which colour?");
    server.say(asks, JsonLines.object(), "red");
    server.awaitStatus(asks, "COMPLETED");
    assertThat(server.text(asks)).contains("\"answer\":\"red\"");
  }

  @Tag("slow")
  @Test
  void aGrantAllowsExactlyWhatItShowsUntilItIsRevoked() throws Exception {
    String session = server.session();
    String first = server.submit(session, "make granted.txt");
    server.awaitStatus(first, "AUTH_REQUIRED");
    String request = server.request(first).path("id").asText();
    server.answer(first, JsonLines.object().put("approved", true).put("grant", "this_action"));
    server.awaitStatus(first, "COMPLETED");
    String grant =
        server.client().get("/v1/permission-requests/" + request).at("/response/grant_id").asText();

    String same = server.submit(session, "make granted.txt");
    server.awaitStatus(same, "COMPLETED");
    String other = server.submit(session, "make other.txt");
    server.awaitStatus(other, "AUTH_REQUIRED");
    server.answer(other, false, "");
    server.awaitStatus(other, "COMPLETED");
    String elsewhere = server.submit(server.session(), "make granted.txt");
    server.awaitStatus(elsewhere, "AUTH_REQUIRED");
    server.answer(elsewhere, false, "");
    server.awaitStatus(elsewhere, "COMPLETED");

    var unused =
        server
            .client()
            .post(
                "/v1/permission-grants/" + grant + "/revoke",
                JsonLines.object(),
                UUID.randomUUID().toString());
    String revoked = server.submit(session, "make granted.txt");
    server.awaitStatus(revoked, "AUTH_REQUIRED");
    server.answer(revoked, false, "");
    server.awaitStatus(revoked, "COMPLETED");
    assertThat(server.folder().resolve("granted.txt")).hasContent("made\nmade");

    String hook = server.submit(session, "edit .git/hooks/pre-commit");
    server.awaitStatus(hook, "AUTH_REQUIRED");
    assertThat(server.request(hook).at("/request/offered_grants")).as("a protected path").isEmpty();
    server.answer(hook, false, "");
    server.awaitStatus(hook, "COMPLETED");
  }

  @Tag("slow")
  @Test
  void aLongAnswerIsOneMessageWhichIsCut() throws Exception {
    String session = server.session();
    assertThat(server.said(session, "say ready")).contains("ready");
    String chunk =
        "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"%s\"}}";
    Files.write(
        server.folder().resolve("updates"),
        Collections.nCopies(8, chunk.formatted("\u4e2d".repeat(10_000))));
    String task = server.submit(session, "report updates");
    server.awaitStatus(task, "COMPLETED");

    JsonNode messages = server.client().get("/v1/sessions/" + session + "/messages").path("data");
    assertThat(messages)
        .extracting(message -> message.at("/parts/0/text").asText().length())
        .contains(60_000);
  }

  @Tag("slow")
  @Test
  void whatAnAgentReportsOfItsToolsAndCostsIsTyped() throws Exception {
    String session = server.session();
    assertThat(server.said(session, "say ready")).contains("ready");
    String call = "{\"sessionUpdate\":\"tool_call\",\"status\":\"completed\",";
    Files.write(
        server.folder().resolve("updates"),
        List.of(
            call
                + "\"toolCallId\":\"t1\",\"kind\":\"execute\",\"rawInput\":{\"command\":\"ls -l\"},"
                + "\"rawOutput\":{\"text\":\"total 0\"}}",
            call
                + "\"toolCallId\":\"t2\",\"kind\":\"edit\",\"content\":[{\"type\":\"diff\","
                + "\"path\":\"/x/a.txt\",\"oldText\":\"a\",\"newText\":\"b\"}]}",
            call
                + "\"toolCallId\":\"t3\",\"kind\":\"fetch\","
                + "\"rawInput\":{\"url\":\"https://example.org/p?key=secret\"}}",
            call
                + "\"toolCallId\":\"t4\",\"toolName\":\"deploy\",\"rawOutput\":\"done\","
                + "\"executor\":{\"kind\":\"mcp_server\",\"serverName\":\"ops\"}}",
            call
                + "\"toolCallId\":\"t5\",\"toolName\":\"write_file\",\"rawOutput\":{},"
                + "\"executor\":\"host_bridge\"}",
            "{\"sessionUpdate\":\"usage_update\",\"used\":10,\"size\":100,"
                + "\"cost\":{\"amount\":0.25,\"currency\":\"USD\"}}",
            "{\"sessionUpdate\":\"usage_update\",\"used\":20,\"size\":100,"
                + "\"cost\":{\"amount\":0.75,\"currency\":\"USD\"}}",
            "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"all \"}}",
            "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"done\"}}",
            "{\"sessionUpdate\":\"available_commands_update\",\"availableCommands\":"
                + "[{\"name\":\"plan\",\"description\":\"makes one\"}]}",
            "{\"sessionUpdate\":\"transcript_compacted\",\"kept\":3}"));
    String task = server.submit(session, "report updates");
    server.awaitStatus(task, "COMPLETED");

    assertThat(server.payloads(task, "agent.message"))
        .singleElement()
        .asString()
        .contains("\"text\":\"all done\"");
    assertThat(server.payloads(task, "vendor.agent_host.commands"))
        .containsExactly("{\"commands\":[{\"name\":\"plan\",\"description\":\"makes one\"}]}");
    assertThat(server.payloads(task, "agent.tool_use"))
        .filteredOn(used -> used.contains("\"unverified\":true"))
        .as("also what the agent says the host ran, which served no such call")
        .hasSize(5)
        .anyMatch(used -> used.contains("t5"));
    assertThat(server.payloads(task, "agent.tool_result"))
        .hasSize(5)
        .allMatch(result -> result.contains("\"status\":\"completed\""))
        .anyMatch(
            result ->
                result.contains("\"executor\":{\"kind\":\"mcp_server\",\"serverName\":\"ops\"}"));
    assertThat(server.payloads(task, "vendor.bridle.command_run"))
        .containsExactly("{\"command\":\"ls -l\",\"status\":\"succeeded\"}");
    assertThat(server.payloads(task, "vendor.bridle.file_written"))
        .containsExactly("{\"operation\":\"modify\",\"path\":\"/x/a.txt\"}");
    assertThat(server.payloads(task, "vendor.bridle.network_egress"))
        .containsExactly("{\"destination\":\"example.org\",\"purpose\":\"fetched by the agent\"}");
    assertThat(server.payloads(task, "vendor.bridle.tool_called"))
        .hasSize(2)
        .allMatch(called -> called.contains("\"output_hash\":\"sha256:"))
        .anyMatch(called -> called.contains("\"tool\":\"agent:deploy\""))
        .anyMatch(called -> called.contains("\"tool\":\"agent:write_file\""));
    assertThat(server.payloads(task, "vendor.bridle.dependency_recorded"))
        .hasSize(4)
        .anySatisfy(recorded -> assertThat(recorded).contains("mcp:ops:"));
    assertThat(server.payloads(task, "vendor.bridle.usage_recorded"))
        .hasSize(2)
        .anySatisfy(usage -> assertThat(usage).contains("500000"));
    assertThat(server.payloads(task, "session.compacted")).hasSize(1);
    assertThat(server.events(task))
        .as("only the call's own input has the query of its address")
        .filteredOn(event -> !event.path("event").asText().equals("agent.tool_use"))
        .noneMatch(event -> event.toString().contains("key=secret"));
  }

  @Tag("slow")
  @Test
  void aTaskGoesOnWhenItsRuntimeIsReplaced() throws Exception {
    String task = server.submit(server.session(), "make replaced.txt");
    server.awaitStatus(task, "AUTH_REQUIRED");

    ObjectNode changed = server.runtime("task");
    changed.put("max_processes", 2);
    server.write(changed);
    server.awaitLog("has ended");

    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () -> {
              server.answerIfOpen(task);
              return server.status(task).equals("COMPLETED");
            });
    assertThat(server.folder().resolve("replaced.txt")).hasContent("made");

    // The server is shared: other tests expect a runtime that lives as long as its session.
    server.write(server.runtime("session"));
    server.awaitLog("has ended", 2);
  }

  @Tag("slow")
  @Test
  void aFileThatCantBeReadChangesNothing() throws Exception {
    String before = Files.readString(server.file());
    Files.writeString(server.file(), "{\"runtimes\":");
    server.awaitLog("stay as they are");

    assertThat(server.said(server.session(), "say hello")).contains("hello");
    Files.writeString(server.file(), before);
  }
}

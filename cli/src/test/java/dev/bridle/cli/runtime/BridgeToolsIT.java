package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.run.AgentProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runtime of the Harn bridge that uses the host's tools, and reports what it does. */
@Tag("slow")
final class BridgeToolsIT {
  private static final String TOOL_CALLED = "vendor.bridle.tool_called";
  private static final String UNKNOWN = "vendor.agent_host.outcome_unknown";
  private static final String UNVERIFIED = "\"unverified\":true";

  @TempDir private static Path directory;
  private static RuntimeServer server;
  private static String session;
  private static String strict;

  @BeforeAll
  static void start() throws IOException {
    server = new RuntimeServer(directory, AgentProgram.make(directory, "b", BridgeAgent.class));
    Path scripted = AgentProgram.make(directory, "s");
    server.write(
        Map.of(
            "bridge",
            server.runtime("session", "bridge", "bridge").put("must_ask", true),
            "strict",
            running(scripted, server.runtime("session", "strict", "strict"))
                .put("must_ask", true)));
    server.start();
    session = server.session(server.persona("bridge"));
    strict = server.persona("strict");
    server.awaitLog("runtime bridge takes tasks");
    server.awaitLog("runtime strict takes tasks");
  }

  private static ObjectNode running(Path program, ObjectNode runtime) {
    runtime.putArray("command").add(program.toString());
    return runtime;
  }

  @AfterAll
  static void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  @Test
  void aCallThatTheHostServedIsNoClaimOfTheAgentsAndOnlyOneReportIsOfIt() {
    String once = server.submit(session, "call list_files {\"path\":\".\"}");
    server.awaitStatus(once, "COMPLETED");
    assertThat(server.payloads(once, "agent.tool_result"))
        .singleElement()
        .asString()
        .contains("\"tool_name\":\"list_files\"", "\"status\":\"completed\"")
        .doesNotContain(UNVERIFIED);
    assertThat(server.payloads(once, TOOL_CALLED)).isEmpty();

    String twice = server.submit(session, "twice list_files {\"path\":\".\"}");
    assertFailed(twice, "acted_without_asking"); // The second report is of a call of its own.
    assertThat(server.payloads(twice, "agent.tool_result"))
        .hasSize(2)
        .filteredOn(result -> result.contains(UNVERIFIED))
        .singleElement()
        .asString()
        .contains("-again");
    assertThat(server.payloads(twice, TOOL_CALLED))
        .singleElement()
        .asString()
        .contains("\"tool\":\"agent:list_files\"");
  }

  @Test
  void anAgentThatHasToAskMayUseTheHostsToolsAndOnlySayWhatIsTrueOfThem() {
    String runs = server.submit(session, "call run_command {\"command\":\"echo hi\"}");
    server.awaitStatus(runs, "AUTH_REQUIRED");
    server.answer(runs, true, "");
    server.awaitStatus(runs, "COMPLETED");
    assertThat(server.text(runs)).contains("\"exit_code\":0");

    assertFailed(server.submit(session, "claim run_command"), "acted_without_asking");
  }

  @Test
  void anAgentThatHasToAskFailsItsTaskByActingWithoutOrDifferently() {
    assertFailed(server.submit(server.session(strict), "sneak s.txt"), "acted_without_asking");

    String differs = server.submit(server.session(strict), "differ d.txt");
    server.awaitStatus(differs, "AUTH_REQUIRED");
    server.answer(differs, true, "");
    assertFailed(differs, "acted_differently");

    String asks = server.submit(server.session(strict), "make m.txt");
    server.awaitStatus(asks, "AUTH_REQUIRED");
    server.answer(asks, true, "");
    server.awaitStatus(asks, "COMPLETED");
  }

  private static void assertFailed(String task, String code) {
    server.awaitStatus(task, "FAILED");
    assertThat(server.payloads(task, "task.failed"))
        .singleElement()
        .asString()
        .contains("\"code\":\"" + code + "\"");
  }

  @Test
  void theHostsToolsAreListedWithTheirSchemas() {
    assertThat(server.said(session, "list"))
        .contains("\"name\":\"read_file\"", "\"name\":\"ask_person\"")
        .contains("\"required\":[\"command\"]", "\"deprecated\":false");
  }

  @Test
  void aCallThatIsCancelledWithdrawsItsQuestion() {
    for (String call :
        List.of("run_command {\"command\":\"touch no\"}", "ask_person {\"question\":\"Well?\"}")) {
      String task = server.submit(session, "call " + call);
      server.awaitStatus(task, call.startsWith("ask") ? "INPUT_REQUIRED" : "AUTH_REQUIRED");

      server.say(task, JsonLines.object().put("mode", "interrupt_immediate"), "cancel");

      server.awaitStatus(task, "COMPLETED");
      assertThat(server.text(task)).contains("\"code\":-32800");
      assertThat(server.request(task).isMissingNode()).as("nobody is asked any more").isTrue();
      assertThat(server.payloads(task, UNKNOWN)).isEmpty();
    }
    assertThat(server.folder().resolve("no")).doesNotExist();
  }

  @Test
  void aCallThatIsCancelledEndsItsCommand() {
    String mark = "mark-" + UUID.randomUUID();
    String task =
        server.submit(
            session, "call run_command {\"command\":\"touch begun; sleep 600; : " + mark + "\"}");
    server.awaitStatus(task, "AUTH_REQUIRED");
    server.answer(task, true, "");
    await("the command")
        .atMost(Duration.ofMinutes(3))
        .until(() -> Files.exists(server.folder().resolve("begun")));

    server.say(task, JsonLines.object().put("mode", "interrupt_immediate"), "cancel");

    server.awaitStatus(task, "COMPLETED");
    assertThat(server.text(task)).contains("\"code\":-32800");
    assertThat(AgentProgram.with(mark)).isEmpty();
    assertThat(server.payloads(task, "vendor.bridle.command_run"))
        .singleElement()
        .asString()
        .contains("\"status\":\"failed\"");
    assertThat(server.payloads(task, UNKNOWN)).isEmpty();
  }

  @Test
  void aCommandIsEndedWhenItsTimeIsUp() {
    String command = "echo begins; sleep 600";

    assertThat(said(command, 1)).contains("\"timed_out\":true").doesNotContain("exit_code");
    assertThat(AgentProgram.with(command)).isEmpty();
  }

  @Test
  void ofALongOutputTheEndIsKept() {
    assertThat(said("head -c 70000 /dev/zero | tr '\\\\0' x; echo last", 60))
        .contains("xlast\\n\",\"truncated\":true", "\"exit_code\":0");
  }

  /** Returns what an agent says of a command that it may run for so many seconds. */
  private String said(String command, int seconds) {
    String task =
        server.submit(
            session,
            "call run_command {\"command\":\""
                + command
                + "\",\"timeout_seconds\":"
                + seconds
                + "}");
    server.awaitStatus(task, "AUTH_REQUIRED");
    server.answer(task, true, "");
    server.awaitStatus(task, "COMPLETED");
    return server.text(task);
  }

  @Test
  void whatARuntimeReportsOfItsWorkersAndSkillsIsInTheRecord() throws IOException {
    String skill =
        server
            .client()
            .post(
                "/v1/skills",
                JsonLines.object().put("name", "ship").put("description", "Ships it"),
                UUID.randomUUID().toString())
            .path("id")
            .asText();
    Files.createDirectories(server.folder());
    Files.write(
        server.folder().resolve("updates"),
        List.of(
            "{\"sessionUpdate\":\"worker_update\",\"workerId\":\"w1\",\"event\":\"WorkerSpawned\","
                + "\"status\":\"running\",\"snapshotPath\":\".harn/workers/w1.json\"}",
            "{\"sessionUpdate\":\"handoff\",\"target\":\"reviewer\",\"summary\":\"look\"}",
            "{\"sessionUpdate\":\"skill_activated\",\"skillName\":\"ship\",\"iteration\":1,"
                + "\"reason\":\"matched\"}",
            "{\"sessionUpdate\":\"skill_scope_tools\",\"skillName\":\"ship\","
                + "\"allowedTools\":[\"bash\"]}",
            "{\"sessionUpdate\":\"skill_deactivated\",\"skillName\":\"ship\",\"iteration\":2}",
            "{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t1\",\"status\":\"pending\","
                + "\"parsing\":true,\"rawInputPartial\":\"{\\\"pa\",\"audit\":{\"run_id\":\"r1\"}}"));
    String task = server.submit(server.session(strict), "report updates");
    server.awaitStatus(task, "COMPLETED");

    assertThat(server.payloads(task, "agent.handoff"))
        .hasSize(2)
        .anySatisfy(
            handoff ->
                assertThat(handoff)
                    .contains(
                        "\"worker_id\":\"w1\"", "\"snapshot_path\":\".harn/workers/w1.json\""))
        .anySatisfy(handoff -> assertThat(handoff).contains("\"worker_name\":\"reviewer\""));
    assertThat(server.payloads(task, "vendor.agent_host.update"))
        .hasSize(3)
        .allSatisfy(
            update ->
                assertThat(update)
                    .contains("\"skill_name\":\"ship\"", "\"skill_id\":\"" + skill + "\""))
        .anySatisfy(update -> assertThat(update).contains("\"allowedTools\":[\"bash\"]"));
    assertThat(server.payloads(task, "agent.tool_use"))
        .singleElement()
        .asString()
        .contains(
            "\"parsing\":true", "\"raw_input_partial_bytes\":7", "\"audit\":{\"run_id\":\"r1\"}");
  }

  @Test
  void aCallThatTheHostNeverServedIsAClaimOfTheAgents() {
    String task = server.submit(session, "claim write_file");
    server.awaitStatus(task, "FAILED");

    assertThat(server.client().get("/v1/tasks/" + task).at("/failure/code").asText())
        .as("it has to ask for all that does not only read")
        .isEqualTo("acted_without_asking");
    assertThat(server.payloads(task, "agent.tool_result"))
        .singleElement()
        .asString()
        .contains(UNVERIFIED);
    assertThat(server.payloads(task, TOOL_CALLED))
        .singleElement()
        .asString()
        .contains("\"tool\":\"agent:write_file\"");
  }
}

package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.run.AgentProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runtime of the Harn bridge that uses the host's tools, and reports what it does. */
final class BridgeToolsIT {
  private static final String TOOL_CALLED = "vendor.bridle.tool_called";
  private static final String UNVERIFIED = "\"unverified\":true";

  @TempDir private static Path directory;
  private static RuntimeServer server;
  private static String bridge;
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
    bridge = server.persona("bridge");
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
    String once = server.submit(server.session(bridge), "call list_files {\"path\":\".\"}");
    server.awaitStatus(once, "COMPLETED");
    assertThat(server.payloads(once, "agent.tool_result"))
        .singleElement()
        .asString()
        .contains("\"tool_name\":\"list_files\"", "\"status\":\"completed\"")
        .doesNotContain(UNVERIFIED);
    assertThat(server.payloads(once, TOOL_CALLED)).isEmpty();

    String twice = server.submit(server.session(bridge), "twice list_files {\"path\":\".\"}");
    server.awaitStatus(twice, "COMPLETED");
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
    String session = server.session(bridge);
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
  void aCallThatTheHostNeverServedIsAClaimOfTheAgents() {
    String task = server.submit(server.session(bridge), "claim write_file");
    server.awaitStatus(task, "COMPLETED");

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

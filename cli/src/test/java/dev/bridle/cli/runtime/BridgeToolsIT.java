package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.run.AgentProgram;
import java.io.IOException;
import java.nio.file.Path;
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

  @BeforeAll
  static void start() throws IOException {
    server = new RuntimeServer(directory, AgentProgram.make(directory, "b", BridgeAgent.class));
    server.write(server.runtime("session"));
    server.start();
  }

  @AfterAll
  static void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  @Test
  void aCallThatTheHostServedIsNoClaimOfTheAgentsAndOnlyOneReportIsOfIt() {
    String once = server.submit(server.session(), "call list_files {\"path\":\".\"}");
    server.awaitStatus(once, "COMPLETED");
    assertThat(server.payloads(once, "agent.tool_result"))
        .singleElement()
        .asString()
        .contains("\"tool_name\":\"list_files\"", "\"status\":\"completed\"")
        .doesNotContain(UNVERIFIED);
    assertThat(server.payloads(once, TOOL_CALLED)).isEmpty();

    String twice = server.submit(server.session(), "twice list_files {\"path\":\".\"}");
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
  void aCallThatTheHostNeverServedIsAClaimOfTheAgents() {
    String task = server.submit(server.session(), "claim write_file");
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

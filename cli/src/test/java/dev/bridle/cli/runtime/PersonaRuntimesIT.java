package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.process.AgentEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runtimes of one file that take the tasks of different personas, workspaces and tenants. */
@Tag("slow")
final class PersonaRuntimesIT {
  @TempDir private Path directory;
  private RuntimeServer server;

  @BeforeEach
  void make() throws IOException {
    server = new RuntimeServer(directory);
    Files.createDirectories(server.folder());
    Files.writeString(server.folder().resolve("sign"), "echo \"$NAME\" >> served");
  }

  @AfterEach
  void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  private ObjectNode runtime(String name, String persona) {
    return server.runtime("session", name, persona);
  }

  private List<String> served() throws IOException {
    return Files.readAllLines(server.folder().resolve("served"));
  }

  @Test
  void tasksOfEachPersonaGoToItsRuntimeAndOthersWaitForOneThatTakesAll() throws Exception {
    ObjectNode one = runtime("one", "writer");
    ObjectNode two = runtime("two", "reviewer");
    server.write(Map.of("one", one, "two", two));
    server.start();
    String writer = server.persona("writer");
    String reviewer = server.persona("reviewer");
    server.awaitLog("runtime one takes tasks");
    server.awaitLog("runtime two takes tasks");

    String waits = server.submit(server.session(), "run sign");
    assertThat(server.said(server.session(reviewer), "run sign")).contains("ran");
    assertThat(server.said(server.session(writer), "run sign")).contains("ran");
    assertThat(server.said(server.session(reviewer), "run sign")).contains("ran");
    assertThat(served()).containsExactly("two", "one", "two");
    assertThat(server.status(waits)).isEqualTo("SUBMITTED");

    ObjectNode all = server.runtime("session");
    all.putObject("env").put("NAME", "all");
    server.write(Map.of("one", one, "two", two, "all", all));

    server.awaitStatus(waits, "COMPLETED");
    assertThat(served()).endsWith("all").hasSize(4);
  }

  @Test
  void tasksOfAWorkspaceAndOfATenantGoToTheirRuntimesWithTheVariablesThatTheseGet()
      throws Exception {
    String passed = aVariableThatNobodyGets();
    server.write(Map.of());
    server.start();
    RuntimeServer acme = server.ofTenant("acme");
    String workspace = server.workspace("folder:there");
    ObjectNode there = server.runtime("session");
    there.putArray("pass").add(passed);
    there.putArray("workspaces").add(workspace);
    server.write(Map.of("there", there, "acme", server.runtime("session").put("tenant", "acme")));
    server.awaitLog("runtime there takes tasks");
    server.awaitLog("runtime acme takes tasks");

    String elsewhere = server.submit(server.session(), "say never");
    assertThat(server.said(server.sessionIn(workspace, JsonLines.object()), "variable " + passed))
        .isEqualTo("it is " + System.getenv(passed));
    assertThat(acme.said(acme.session(), "variable " + passed)).isEqualTo("it is not there");
    assertThat(acme.folder().resolve("prompts")).hasContent("variable " + passed);
    assertThat(server.status(elsewhere)).as("no runtime takes it").isEqualTo("SUBMITTED");
  }

  /** Returns a variable of this process, and so of the server, that agents get only if named. */
  private static String aVariableThatNobodyGets() {
    Map<String, String> whole = System.getenv();
    Set<String> chosen = AgentEnvironment.choose(whole, Set.of(), Map.of()).variables().keySet();
    return whole.entrySet().stream()
        .filter(each -> !chosen.contains(each.getKey()) && !each.getKey().startsWith("BRIDLE_"))
        .filter(each -> each.getValue().matches("[\\w./:=-]{1,500}"))
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst()
        .orElseThrow(() -> new AssertionError("the environment has no other variable"));
  }

  @Test
  void aRuntimeTakesTheTasksOfAPersonaThatIsCreatedLater() throws Exception {
    server.write(
        Map.of("a", runtime("a", "never"), "b", runtime("b", "ever"), "c", runtime("c", "later")));
    server.start();
    server.awaitLog("there is no persona named 'later' yet");

    String session = server.session(server.persona("later"));
    assertThat(server.said(session, "run sign")).contains("ran");

    assertThat(served()).containsExactly("c");
    server.awaitLog("runtime c takes tasks");
    assertThat(Files.readString(server.log()))
        .as("what waits is not said again at each look")
        .containsOnlyOnce("there is no persona named 'never' yet")
        .containsOnlyOnce("there is no persona named 'ever' yet");
  }
}

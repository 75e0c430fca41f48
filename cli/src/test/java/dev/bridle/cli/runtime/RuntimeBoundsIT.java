package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.task.HostEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the runtimes of a server's file may use, and for how long. */
@Tag("slow")
final class RuntimeBoundsIT {
  /** Room for one process of the runtime {@code large} beside those of all the others. */
  private static final String ALL_MB = "2150";

  private static final int LARGE_MB = 1100;

  private static final Map<String, String> PERSONAS = new HashMap<>();

  @TempDir private static Path directory;
  private static RuntimeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = new RuntimeServer(directory);
    server.write(
        Map.of(
            "bounded",
            runtime("task", "bounded").put("memory_mb", 256),
            "large",
            runtime("task", "large").put("memory_mb", LARGE_MB),
            "too-large",
            runtime("task", "too-large").put("memory_mb", 2151),
            "idle-session",
            runtime("session", "idle-session").put("idle_end", "1s"),
            "idle-daemon",
            runtime("daemon", "idle-daemon").put("idle_end", "1s"),
            "lasting",
            runtime("session", "lasting")));
    server.start("--runtime-memory", ALL_MB);
    Files.createDirectories(server.folder());
  }

  private static ObjectNode runtime(String scope, String name) {
    return server.runtime(scope, name, name);
  }

  @AfterAll
  static void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  /** Creates a session whose tasks go to a runtime. */
  private static String sessionOf(String runtime) {
    return server.session(personaOf(runtime));
  }

  /** A runtime takes the tasks of the first persona of its name. */
  private static String personaOf(String runtime) {
    return PERSONAS.computeIfAbsent(runtime, server::persona);
  }

  @Test
  void aProcessThatHasMoreMemoryThanItsRuntimeAllowsIsEndedAndItsTaskFailsByName()
      throws Exception {
    // What comes without a line's end, tail keeps.
    Files.writeString(
        server.folder().resolve("hog"), "(head -c 400000000 /dev/zero; sleep 100) | tail");
    String session = sessionOf("bounded");
    String task = server.submit(session, "run hog");

    server.awaitStatus(task, "FAILED");

    assertThat(server.events(task).toString())
        .contains("agent_memory")
        .containsPattern("had \\d+ MiB of memory, 256 MiB are allowed");
    assertThat(server.payloads(task, "vendor.agent_host.restarted")).isEmpty();
    await("the end of what it had started")
        .atMost(Duration.ofMinutes(3))
        .until(() -> ProcessHandle.allProcesses().noneMatch(RuntimeBoundsIT::isHog));
    assertThat(server.said(session, "say it")).as("the next task").contains("it");
  }

  private static boolean isHog(ProcessHandle process) {
    return process.info().commandLine().orElse("").startsWith("head -c 400000000");
  }

  /** Each waits for a while for another one to start, so that two at a time would be seen. */
  @Test
  void aProcessThatWouldBeTooMuchForAllRuntimesStartsOnceAnotherOneHasEnded() throws Exception {
    Files.writeString(
        server.folder().resolve("meet"),
        """
        echo start >> met
        for i in $(seq 30); do
          [ "$(grep -c start met)" = 2 ] && break
          sleep 0.1
        done
        echo end >> met
        """);
    String persona = personaOf("large");
    String first = server.submit(server.session(persona), "run meet");
    String second = server.submit(server.session(persona), "run meet");

    server.awaitStatus(first, "COMPLETED");
    server.awaitStatus(second, "COMPLETED");

    assertThat(Files.readAllLines(server.folder().resolve("met")))
        .containsExactly("start", "end", "start", "end");
    server.awaitLog("runtime too-large can't start: memory_mb is more than all may have");
  }

  @ParameterizedTest
  @ValueSource(strings = {"idle-session", "idle-daemon"})
  void aProcessWithoutATaskEndsAfterAWhileAndTheNextTaskStartsItAnew(String idle) {
    String lasting = sessionOf("lasting");
    assertThat(server.said(lasting, "say one")).contains("one");
    Collection<ProcessHandle> others = server.running();
    String session = sessionOf(idle);
    String before = server.submit(session, "say one");
    server.awaitStatus(before, "COMPLETED");
    assertThat(opened(before)).singleElement().asString().contains("\"how\":\"new\"");

    await("the end of the agent")
        .atMost(Duration.ofMinutes(3))
        .until(() -> others.containsAll(server.running()));

    String after = server.submit(session, "say two");
    server.awaitStatus(after, "COMPLETED");
    assertThat(opened(after)).singleElement().asString().contains("\"how\":\"resumed\"");
    String same = server.submit(lasting, "say two");
    server.awaitStatus(same, "COMPLETED");
    assertThat(opened(same)).as("a runtime that waits longer has its process still").isEmpty();
  }

  private static List<String> opened(String task) {
    return server.payloads(task, HostEvents.OPENED);
  }

  @Test
  void aTaskOfAWorkspaceWithoutAFolderFailsByNameAndAnotherOneIsServed() {
    String persona = personaOf("lasting");
    String session =
        server.sessionIn(
            server.workspace("memory:"), JsonLines.object().put("persona_id", persona));
    String task = server.submit(session, "say it");

    server.awaitStatus(task, "FAILED");

    assertThat(server.events(task).toString())
        .contains("no_folder", "Make one with the root 'folder:NAME'");
    assertThat(server.payloads(task, "vendor.agent_host.prompted")).isEmpty();
    assertThat(server.said(server.session(persona), "say it")).contains("it");
  }
}

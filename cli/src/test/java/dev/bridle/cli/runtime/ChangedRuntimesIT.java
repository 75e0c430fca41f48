package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file changes while each of its runtimes has a task at work, and another in the queue. */
@Tag("slow")
final class ChangedRuntimesIT {
  @TempDir private Path directory;
  private RuntimeServer server;

  @BeforeEach
  void make() throws IOException {
    server = new RuntimeServer(directory);
    Files.createDirectories(server.folder());
  }

  @AfterEach
  void stop() {
    server.close();
    assertThat(server.agentsLeft()).isEmpty();
  }

  private ObjectNode runtime(String persona, String name, int processes) {
    return server.runtime("task", name, persona).put("max_processes", processes);
  }

  /** Submits a task that works until there is a file named go, and says by whom it was done. */
  private String submit(String persona, String name) throws IOException {
    Files.writeString(
        server.folder().resolve(name),
        "echo $NAME >> begun-%1$s; while [ ! -e go ]; do sleep 0.05; done; echo $NAME >> done-%1$s"
            .formatted(name));
    return server.submit(server.session(persona), "run " + name);
  }

  private List<String> lines(String file) throws IOException {
    Path path = server.folder().resolve(file);
    return Files.exists(path) ? Files.readAllLines(path) : List.of();
  }

  private void awaitLines(String file, String... lines) {
    await(file)
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(lines(file)).containsExactly(lines));
  }

  @Test
  void noTaskIsLostWhenRuntimesAreChangedRemovedAndAdded() throws Exception {
    ObjectNode same = runtime("p1", "same", 1);
    server.write(
        Map.of("same", same, "changed", runtime("p2", "old", 1), "gone", runtime("p3", "gone", 1)));
    server.start();
    List<String> tasks = new ArrayList<>();
    for (String persona : List.of("p1", "p2", "p3")) {
      String id = server.persona(persona);
      tasks.add(submit(id, persona + "-works"));
      await(persona)
          .atMost(Duration.ofMinutes(3))
          .until(() -> lines("begun-" + persona + "-works").size() == 1);
      tasks.add(submit(id, persona + "-queued"));
    }

    server.write(Map.of("same", same, "changed", runtime("p2", "new", 2)));
    server.awaitLog("runtime gone has ended");
    awaitLines("begun-p2-works", "old", "new");
    assertThat(server.status(tasks.get(4))).as("begun, it waits").isEqualTo("WORKING");
    assertThat(server.status(tasks.get(5))).as("not begun, it waits").isEqualTo("SUBMITTED");

    tasks.add(submit(server.persona("p4"), "p4-queued"));
    // No other one is there for the tasks of the one that is gone.
    server.write(
        Map.of(
            "same", same,
            "changed", runtime("p2", "new", 2),
            "gone", runtime("p3", "again", 2),
            "added", runtime("p4", "added", 1)));
    awaitLines("begun-p3-works", "gone", "again");
    Files.createFile(server.folder().resolve("go"));

    tasks.forEach(task -> server.awaitStatus(task, "COMPLETED"));
    assertThat(lines("begun-p1-works")).as("nothing has changed for it").containsExactly("same");
    assertThat(lines("done-p1-works")).containsExactly("same");
    assertThat(lines("done-p1-queued")).containsExactly("same");
    assertThat(lines("done-p2-works"))
        .as("the old agent's command has ended")
        .containsExactly("new");
    assertThat(lines("done-p2-queued")).containsExactly("new");
    assertThat(lines("done-p3-works")).containsExactly("again");
    assertThat(lines("done-p3-queued")).containsExactly("again");
    assertThat(lines("done-p4-queued")).containsExactly("added");
  }

  @Test
  void tasksOfARuntimeThatIsRenamedGoOnWithTheOneThatTakesItsPlace() throws Exception {
    server.write(Map.of("old", runtime("p1", "old", 2)));
    server.start();
    String persona = server.persona("p1");
    String works = submit(persona, "works");
    await().atMost(Duration.ofMinutes(3)).until(() -> lines("begun-works").size() == 1);
    String asks = server.submit(server.session(persona), "make asked");
    server.awaitStatus(asks, "AUTH_REQUIRED");
    String queued = submit(persona, "queued");

    server.write(Map.of("new", runtime("p1", "new", 3)));
    awaitLines("begun-works", "old", "new");
    Files.createFile(server.folder().resolve("go"));
    server.awaitStatus(works, "COMPLETED");
    server.awaitStatus(queued, "COMPLETED");
    assertThat(lines("done-works")).containsExactly("new");
    assertThat(lines("done-queued")).containsExactly("new");

    // It is queued for the old one by its answer only.
    server.answerIfOpen(asks);
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () -> {
              server.answerIfOpen(asks);
              return server.status(asks).equals("COMPLETED");
            });
    assertThat(lines("asked")).as("done once").hasSize(1);
  }

  @Test
  void tasksOfARuntimeThatIsRenamedWhileNoServerRunsGoOnWithTheOther() throws Exception {
    server.write(Map.of("old", runtime("p1", "old", 1)));
    server.start();
    String works = submit(server.persona("p1"), "works");
    await().atMost(Duration.ofMinutes(3)).until(() -> lines("begun-works").size() == 1);
    server.close();

    server.write(Map.of("new", runtime("p1", "new", 1)));
    server.start();
    awaitLines("begun-works", "old", "new");
    Files.createFile(server.folder().resolve("go"));
    server.awaitStatus(works, "COMPLETED");
    assertThat(lines("done-works")).containsExactly("new");
  }
}

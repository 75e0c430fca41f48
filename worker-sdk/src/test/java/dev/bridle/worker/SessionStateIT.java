package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.google.protobuf.ByteString;
import dev.bridle.worker.v1.SessionState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a handler keeps about its session, and what its runs have in common. */
final class SessionStateIT extends ReportingHandlers {

  @Test
  void aTaskFindsWhatAnEarlierOneKept() {
    fake.start(
        fake.worker()
            .handler(
                task -> {
                  String before = task.sessionState().map(SessionStateIT::text).orElse("nothing");
                  task.keepSessionState((before + ", more").getBytes(StandardCharsets.UTF_8));
                  return TaskResult.of(before);
                }));
    String first = core.submitText("x");
    await(() -> core.ends(first).equals(List.of("completed nothing")));
    String second = core.submitText("x");
    await(() -> core.ends(second).equals(List.of("completed nothing, more")));
  }

  @Test
  void theNewestOfTwoProcessesWins() {
    fake.start(
        fake.worker()
            .handler(
                task -> {
                  task.keepSessionState(new byte[] {1});
                  var unused =
                      core.keep(
                          SessionState.newBuilder()
                              .setRevision(9)
                              .setState(ByteString.copyFromUtf8("another's"))
                              .build());
                  task.keepSessionState("mine".getBytes(StandardCharsets.UTF_8));
                  return TaskResult.of("done");
                }));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed done")));

    assertThat(core.sessionState())
        .hasValueSatisfying(
            kept -> {
              assertThat(kept.getState().toStringUtf8()).isEqualTo("mine");
              assertThat(kept.getRevision()).isEqualTo(10);
            });
  }

  @Test
  void aHandlerReadsWhatWasSaidBefore() {
    fake.start(
        fake.worker()
            .handler(
                task ->
                    TaskResult.of(
                        task.transcript(2).stream()
                            .map(said -> said.role() + " " + said.text())
                            .collect(Collectors.joining(" ")))));
    String id = core.submitText("x");
    await(() -> core.ends(id).equals(List.of("completed user Make it. agent Made.")));
  }

  @Test
  void timesIdsAndCheckpointsAreThoseOfTheFirstRun() {
    List<String> runs = new CopyOnWriteArrayList<>();
    fake.start(
        fake.worker()
            .handler(
                task -> {
                  runs.add(
                      task.now("begin")
                          + task.newId("a")
                          + task.random("a").nextLong()
                          + task.checkpoint("here", IntNode.valueOf(runs.size())));
                  var unused = task.requestInput("go", "Go on?");
                  return TaskResult.of("done");
                }));
    String id = core.submitText("x");
    await(() -> core.question(id).equals("Go on?"));
    core.answer(id, "yes");

    assertThat(fake.end(id)).isEqualTo("completed done");
    assertThat(runs).hasSize(2).allMatch(runs.get(0)::equals);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

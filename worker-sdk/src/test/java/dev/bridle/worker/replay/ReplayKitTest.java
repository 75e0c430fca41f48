package dev.bridle.worker.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.bridle.message.v1.Message;
import dev.bridle.worker.Decision.Verdict;
import dev.bridle.worker.GivenInput;
import dev.bridle.worker.HostResult;
import dev.bridle.worker.HostTool;
import dev.bridle.worker.Parts;
import dev.bridle.worker.Permission;
import dev.bridle.worker.SaidMessage;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import dev.bridle.worker.replay.Divergence.Kind;
import dev.bridle.worker.replay.RandomHandler.Plant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that are run without a server, and replayed. */
class ReplayKitTest {
  private static final int HANDLERS = 300;

  @Test
  void randomHandlersThatRecordWhatTheyGetNeverDiverge() {
    for (long seed = 0; seed < HANDLERS; seed++) {
      RecordedRun run = kit(new RandomHandler(seed, Optional.empty())).run();
      assertThat(run.replay()).as("seed %d", seed).isEmpty();
      assertThat(run.replay()).as("again, seed %d", seed).isEmpty();
    }
  }

  @Test
  void norDoTheyIfACrashInterruptedThem() {
    for (long seed = 0; seed < HANDLERS; seed++) {
      RecordedRun run =
          kit(new RandomHandler(seed, Optional.empty()))
              .interruptedAfter(1 + new Random(seed).nextInt(8))
              .run();
      assertThat(run.end().summary()).as("seed %d", seed).contains("done");
      assertThat(run.replay()).as("seed %d", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Plant.class)
  void whatIsNotDeterministicIsNamed(Plant plant) {
    for (long seed = 0; seed < HANDLERS / 6; seed++) {
      RandomHandler handler = new RandomHandler(seed, Optional.of(plant));
      assertThat(kit(handler).run().replay())
          .as("seed %d", seed)
          .hasValueSatisfying(
              divergence -> assertThat(divergence.stepKey()).startsWith(handler.plantedKey()));
    }
  }

  private static ReplayKit kit(TaskHandler handler) {
    return ReplayKit.of(handler).withSecret("token", "swordfish");
  }

  @Test
  void nothingIsComputedInAReplay() {
    AtomicInteger computed = new AtomicInteger();
    RecordedRun run =
        ReplayKit.of(
                task ->
                    TaskResult.of(
                        "got "
                            + task.step(
                                "host:cards:pick",
                                Integer.class,
                                () -> 7 * computed.incrementAndGet())))
            .run();

    run.needSame().needSame();

    assertThat(run.end().summary()).contains("got 7");
    assertThat(run.stepKeys()).containsExactly("host:cards:pick");
    assertThat(computed).hasValue(1);
  }

  @Test
  void anInterruptedRunDoesNothingTwice() {
    AtomicInteger done = new AtomicInteger();
    RecordedRun run =
        ReplayKit.of(
                task -> {
                  for (int i = 0; i < 5; i++) {
                    var unused = task.step("do:" + i, Integer.class, done::incrementAndGet);
                  }
                  return TaskResult.of("did " + done);
                })
            .interruptedAfter(3)
            .run();

    assertThat(run.end().summary()).contains("did 5");
    assertThat(run.needSame().stepKeys()).hasSize(5);
  }

  @Test
  void aThreadThatAnInterruptedRunLeftBehindAddsNothingToTheNextOne() throws Exception {
    CountDownLatch computing = new CountDownLatch(1);
    CountDownLatch begunAgain = new CountDownLatch(1);
    AtomicReference<FutureTask<String>> leftBehind = new AtomicReference<>();
    AtomicInteger runs = new AtomicInteger();
    ReplayKit kit =
        ReplayKit.of(
                task -> {
                  int run = runs.incrementAndGet();
                  if (run == 1) {
                    FutureTask<String> slow =
                        new FutureTask<>(
                            () ->
                                failing(
                                    task,
                                    () -> {
                                      computing.countDown();
                                      begunAgain.await();
                                      throw new IOException("of the first run");
                                    }));
                    leftBehind.set(slow);
                    new Thread(slow).start();
                    computing.await();
                  }
                  begin(task);
                  if (run == 2) {
                    begunAgain.countDown();
                    assertThatThrownBy(leftBehind.get()::get).hasCauseInstanceOf(Error.class);
                  }
                  return TaskResult.of(
                      failing(
                          task,
                          () -> {
                            throw new IOException("of run " + run);
                          }));
                })
            .interruptedAfter(1);

    assertThat(kit.run().needSame().end().summary()).contains("of run 2");
  }

  private static void begin(TaskContext task) {
    task.progressAs("begin", "begins", OptionalDouble.empty());
  }

  private static String failing(TaskContext task, Callable<JsonNode> compute) throws Exception {
    try {
      return task.step("f", compute).asText();
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  @Test
  void aConsumedApprovalIsAskedForAgainByTheNextRun() {
    AtomicInteger acted = new AtomicInteger();
    RecordedRun run =
        ReplayKit.of(
                task -> {
                  task.requestPermission("may", permission()).needAllowed();
                  var unused = task.step("act", Integer.class, acted::incrementAndGet);
                  return TaskResult.of("acted");
                })
            .deciding("may", Verdict.ALLOWED)
            .interruptedAfter(1)
            .run();

    assertThat(run.needSame().end().summary()).contains("acted");
    assertThat(acted).hasValue(1);
  }

  @Test
  void answersDecisionsToolsAndFailuresAreThoseOfTheRecord() {
    TaskHandler handler =
        task -> {
          String name = GivenInput.textOf(task.requestInput("name", "Who?")).orElse("");
          var there = task.hostTool("tool", HostTool.of("open", IntNode.valueOf(1), "Open?"));
          if (!task.requestPermission("may", permission()).allowed()) {
            throw new TaskFailure("not_allowed", name + " may not, with " + there.needDone());
          }
          return TaskResult.of("done");
        };
    RecordedRun run =
        ReplayKit.of(handler)
            .answering("name", "Ada")
            .deciding("may", Verdict.DENIED)
            .withTool(
                "tool",
                new HostResult(
                    HostResult.Outcome.DONE, Optional.of(IntNode.valueOf(3)), Optional.empty()))
            .run();

    assertThat(run.needSame().end().failure()).contains("not_allowed");
    assertThat(run.end().message()).isEqualTo("Ada may not, with 3");
  }

  @Test
  void aDownloadGivesWhatTheTestGaveOrTheHandlerMade() {
    RecordedRun run =
        ReplayKit.of(
                task -> {
                  byte[] given = task.download("artifact_1", 100);
                  var made =
                      task.artifact(
                          "copy",
                          dev.bridle.artifact.v1.ArtifactKind.ARTIFACT_KIND_FILE,
                          "text/plain",
                          given);
                  byte[] again = task.download(made.getId(), 100);
                  return TaskResult.of(new String(again, StandardCharsets.UTF_8));
                })
            .withArtifact("artifact_1", "Hello".getBytes(StandardCharsets.UTF_8))
            .run();

    assertThat(run.needSame().end().summary()).contains("Hello");
  }

  @Test
  void theNextVersionOfAHandlerIsComparedWithTheRecordOfThisOne() {
    RecordedRun run = ReplayKit.of(task -> told(task.now("begin").toString(), "a")).run();

    assertThat(run.replay(task -> told(task.now("begin").toString(), "a"))).isEmpty();
    assertThat(run.replay(task -> told(task.now("began").toString(), "a")))
        .hasValueSatisfying(
            divergence -> {
              assertThat(divergence.kind()).isEqualTo(Kind.UNRECORDED);
              assertThat(divergence).hasToString("The step `time:began` was not recorded: VALUE ");
            });
    assertThat(run.replay(task -> told(task.now("begin").toString(), "b")))
        .hasValueSatisfying(divergence -> assertThat(divergence.kind()).isEqualTo(Kind.OTHER_END));
    assertThat(
            run.replay(
                task -> {
                  task.progressAs("time:begin", "x", OptionalDouble.empty());
                  return told("", "a");
                }))
        .hasValueSatisfying(divergence -> assertThat(divergence.kind()).isEqualTo(Kind.OTHER_KIND));
    assertThat(run.replay(task -> told("", "a")))
        .hasValueSatisfying(divergence -> assertThat(divergence.kind()).isEqualTo(Kind.MISSING));
  }

  private static TaskResult told(String unused, String summary) {
    return TaskResult.of(summary);
  }

  @Test
  void aDivergenceIsFoundAlsoWhereTheHandlerCatchesEverything() {
    AtomicInteger run = new AtomicInteger();
    RecordedRun recorded =
        ReplayKit.of(
                task -> {
                  try {
                    task.progressAs("p", "run " + run.incrementAndGet(), OptionalDouble.empty());
                  } catch (RuntimeException e) {
                    // Goes on.
                  }
                  return TaskResult.of("done");
                })
            .run();

    assertThatThrownBy(recorded::needSame)
        .isInstanceOf(ReplayDiverged.class)
        .hasMessageContaining("step `p` differs")
        .hasMessageContaining("run 1")
        .hasMessageContaining("run 2");
  }

  @Test
  void whatIsKeptAboutTheSessionIsThereInTheNextRunAndInItsReplay() {
    TaskHandler handler =
        task -> {
          boolean first = task.sessionState().isEmpty();
          task.keepSessionState(new byte[] {1});
          task.progressAs(first ? "first" : "second", "x", OptionalDouble.empty());
          task.progressAs("end", "x", OptionalDouble.empty());
          return TaskResult.of(first ? "first" : "second");
        };

    assertThat(ReplayKit.of(handler).run().needSame().end().summary()).contains("first");
    assertThat(ReplayKit.of(handler).interruptedAfter(1).run().needSame().end().summary())
        .contains("second");
  }

  @Test
  void whatWasSaidBeforeIsWhatTheTestSays() {
    SaidMessage said =
        new SaidMessage(Message.newBuilder().addParts(Parts.text("It is red.")).build());

    RecordedRun run =
        ReplayKit.of(task -> TaskResult.of(task.transcript(1).get(0).text()))
            .withTranscript(said, said)
            .run();

    assertThat(run.needSame().end().summary()).contains("It is red.");
  }

  @Test
  void whatTheTestDidNotGiveIsNamedAlsoWhereTheHandlerCatchesIt() {
    ReplayKit kit =
        ReplayKit.of(
            task -> {
              try {
                return TaskResult.of(task.secret("token"));
              } catch (RuntimeException e) {
                return TaskResult.of("none");
              }
            });

    assertThatThrownBy(kit::run).hasMessageContaining("the secret `token`");
  }

  @Test
  void whatTheTestDidNotGiveIsNamed() {
    ReplayKit kit = ReplayKit.of(task -> TaskResult.of(task.requestInput("name", "Who?").getId()));

    assertThatThrownBy(kit::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The handler wants an answer to `name`; give it by ReplayKit.answering.");
  }

  @Test
  void randomNumbersAndIdsAreThoseOfTheTaskAndTheirLabel() {
    RecordedRun run =
        ReplayKit.of(
                task ->
                    TaskResult.of(
                        String.join(
                            " ",
                            List.of(
                                task.newId("a"),
                                task.newId("a"),
                                task.newId("b"),
                                "" + task.random("a").nextInt(),
                                "" + task.random("a").nextInt(),
                                "" + task.random("b").nextInt()))))
            .run();

    String[] got = run.end().summary().orElseThrow().split(" ", -1);
    assertThat(got[0])
        .isEqualTo(got[1])
        .isNotEqualTo(got[2])
        .matches("[0-9a-f-]{14}8[0-9a-f-]{21}");
    assertThat(got[3]).isEqualTo(got[4]).isNotEqualTo(got[5]);
    assertThat(got[3]).as("the same on every machine").isEqualTo("-1595105472");
  }

  private static Permission permission() {
    return Permission.of("command", IntNode.valueOf(1), "May I?");
  }
}

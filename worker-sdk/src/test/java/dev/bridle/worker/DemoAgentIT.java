package dev.bridle.worker;

import static dev.bridle.worker.CoreExtension.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.message.v1.Message;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.worker.demo.DemoAgent;
import dev.bridle.worker.v1.PermissionVerdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The built-in agent behind a real channel. */
final class DemoAgentIT {
  private final FakeArtifacts artifacts = new FakeArtifacts();

  @RegisterExtension
  final CoreExtension fake = new CoreExtension(Duration.ofSeconds(30), artifacts);

  private final FakeCore core = fake.core();

  @BeforeEach
  void start() {
    fake.start(new DemoAgent());
  }

  @Test
  void theTextOfAMessageIsCounted() {
    String id = core.submitText("The cat and the dog.");
    assertThat(end(id))
        .isEqualTo(
            "completed Counted 5 words, 4 distinct; the most frequent is \"the\" (2 times).");
    assertThat(report(id)).contains("\"total_words\":5").contains("{\"word\":\"the\",\"count\":2}");
    assertThat(core.stepKeys(id)).containsExactly("counting", "reading", "report", "writing");
  }

  @Test
  void theTextOfAJsonInputIsCounted() {
    assertThat(end(core.submitJson("{\"text\":\"one two two\"}")))
        .startsWith("completed Counted 3 words");
  }

  @Test
  void anArtifactIsReadAndCounted() {
    artifacts.put("a", "one two two".getBytes(StandardCharsets.UTF_8));
    assertThat(end(core.submitJson("{\"artifact_id\":\"a\"}")))
        .startsWith("completed Counted 3 words");
    TaskInput message =
        TaskInput.newBuilder()
            .setMessage(Message.newBuilder().addParts(Parts.artifact("a")))
            .build();
    assertThat(end(core.submit(message))).startsWith("completed Counted 3 words");
  }

  @Test
  void theInputThatAsksIsAnsweredByItsUser() {
    String json = core.submitJson("{\"ask\":\"Which text?\",\"text\":\"one\"}");
    await(() -> core.question(json).equals("Which text?"));
    core.answer(json, "two two");
    assertThat(end(json)).startsWith("completed Counted 3 words, 2 distinct");
    String message = core.submitText("ask: Which text?");
    await(() -> core.question(message).equals("Which text?"));
    core.answer(message, "two two");
    assertThat(end(message)).startsWith("completed Counted 2 words, 1 distinct");
  }

  @Test
  void theInputThatActsWaitsUntilItIsAllowed() {
    String id = core.submitJson("{\"text\": \"one\", \"act\": {\"command\": \"ls\"}}");
    await(() -> core.question(id).equals("May the demo agent do this?"));
    core.decide(id, PermissionVerdict.PERMISSION_VERDICT_ALLOWED);
    assertThat(end(id)).startsWith("completed Counted");
  }

  @Test
  void theDelayIsToldInStepsAndCanBeCanceled() {
    String done = core.submitJson("{\"text\":\"one\",\"delay_ms\":250}");
    assertThat(end(done)).startsWith("completed");
    assertThat(core.stepKeys(done)).contains("work:100", "work:200", "work:250");
    String canceled = core.submitJson("{\"text\":\"one\",\"delay_ms\":60000}");
    await(() -> core.stepKeys(canceled).contains("work:100"));
    core.cancel(canceled, true);
    assertThat(end(canceled)).isEqualTo("canceled");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|no_input The input has no text and no artifact",
        "{\"text\":\"  \"}|no_input",
        "{\"text\":7}|bad_input `text` is 7, expected a string.",
        "{\"artifact_id\":[1]}|bad_input `artifact_id` is [1], expected a string.",
        "{\"ask\":\"\"}|bad_input `ask` is empty, expected a question.",
        "{\"text\":\"a\",\"delay_ms\":-1}|bad_input `delay_ms` is -1, expected a whole number from"
            + " 0 to 60000.",
        "{\"text\":\"a\",\"delay_ms\":60001}|bad_input `delay_ms` is 60001",
        "{\"text\":\"a\",\"delay_ms\":1.5}|bad_input `delay_ms` is 1.5",
        "{\"text\":\"a\",\"delay_ms\":\"1\"}|bad_input `delay_ms` is \"1\"",
        "{\"artifact_id\":\"absent\"}|artifact_unreadable Artifact absent can't be read",
      })
  void badInputFailsHonestly(String json, String expected) {
    assertThat(end(core.submitJson(json))).startsWith("failed " + expected);
  }

  @Test
  void aMessageWithoutTextOrWithAnEmptyQuestionFailsHonestly() {
    TaskInput empty = TaskInput.newBuilder().setMessage(Message.getDefaultInstance()).build();
    assertThat(end(core.submit(empty))).startsWith("failed no_input");
    assertThat(end(core.submitText("ask:  ")))
        .startsWith("failed bad_input the text after `ask:` is empty");
  }

  @Test
  void anArtifactThatIsNoTextOrTooLargeFailsHonestly() {
    artifacts.put("binary", new byte[] {(byte) 0xc3, 0x28});
    assertThat(end(core.submitJson("{\"artifact_id\":\"binary\"}")))
        .isEqualTo(
            "failed artifact_unreadable Artifact binary can't be read: its content is not UTF-8"
                + " text.");
    byte[] large = new byte[DemoAgent.MAX_INPUT_BYTES + 1];
    Arrays.fill(large, (byte) 'a');
    artifacts.put("large", large);
    assertThat(end(core.submitJson("{\"artifact_id\":\"large\"}")))
        .startsWith("failed input_too_large");
  }

  @Test
  void theLargestInputIsCounted() {
    byte[] words = "word ".repeat(DemoAgent.MAX_INPUT_BYTES / 5).getBytes(StandardCharsets.UTF_8);
    artifacts.put("most", words);
    assertThat(end(core.submitJson("{\"artifact_id\":\"most\"}")))
        .startsWith("completed Counted 838860 words");
  }

  private String end(String taskId) {
    await(() -> !core.ends(taskId).isEmpty());
    List<String> ends = core.ends(taskId);
    assertThat(ends).hasSize(1);
    return ends.get(0);
  }

  private String report(String taskId) {
    // The fake keeps an artifact's content among its metadata.
    return core.step(taskId, "report").getArtifact().getMetadata().toStringUtf8();
  }
}

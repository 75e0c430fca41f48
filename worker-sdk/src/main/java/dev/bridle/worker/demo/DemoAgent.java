package dev.bridle.worker.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.message.v1.Message;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.Decision;
import dev.bridle.worker.GivenInput;
import dev.bridle.worker.HostResult;
import dev.bridle.worker.Parts;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Counts the words of a text, artifact or answer, and reports their frequencies. The same input
 * always results in the same report. Fails with `no_input`, `bad_input`, `artifact_unreadable` or
 * `input_too_large` on invalid input.
 */
public final class DemoAgent implements TaskHandler {
  /** The maximum size of the input, in bytes of UTF-8. */
  public static final int MAX_INPUT_BYTES = 4 << 20;

  private static final int MAX_REPORT_BYTES = 1 << 20;
  private static final int DELAY_STEP_MILLIS = 100;

  /** Creates the agent, which is stateless. */
  public DemoAgent() {}

  @Override
  public TaskResult handle(TaskContext task) throws TaskFailure {
    DemoInput input = DemoInput.of(task.input());
    List<String> texts = new ArrayList<>(input.texts());
    task.progressAs("reading", "Reading the input", OptionalDouble.of(0));
    input.use().ifPresent(usage -> task.usage("use", usage));
    checkSize(texts);
    for (String artifactId : input.artifactIds()) {
      texts.add(read(task, artifactId));
      checkSize(texts);
    }
    if (input.ask().model().isPresent()) {
      texts.add(DemoModel.answer(task, input.ask().model().get()));
      checkSize(texts);
    }
    if (input.ask().user().isPresent()) {
      texts.add(answer(task.requestInput("ask", input.ask().user().get())));
      checkSize(texts);
    }
    if (input.act().isPresent()) {
      texts.add(act(task, input.act().get()));
    }
    if (input.hostTool().isPresent()) {
      texts.add(ran(task.hostTool("host_tool", input.hostTool().get())));
      checkSize(texts);
    }
    work(task, input.delayMillis());
    task.progressAs("counting", "Counting the words", OptionalDouble.of(0.9));
    WordCount count = new WordCount(task::throwIfCancelled);
    texts.forEach(count::add);
    WordReport report = new WordReport(count, MAX_REPORT_BYTES);
    task.progressAs("writing", "Writing the report", OptionalDouble.of(0.95));
    Artifact artifact =
        task.artifact(
            "report", ArtifactKind.ARTIFACT_KIND_DATASET, "application/json", report.json());
    return TaskResult.of(report.sentence())
        .withArtifact(artifact)
        .withMessage(Parts.text(report.sentence()), Parts.artifact(artifact.getId()));
  }

  /**
   * Requests a permission and acts: the action records the time, which shows how often it was done.
   * If the persona may only observe or suggest, returns that instead.
   */
  private static String act(TaskContext task, DemoAct act) throws TaskFailure {
    try {
      return task.step(
          "acted",
          String.class,
          () -> {
            Decision decision = task.requestPermission("act", act.permission());
            return switch (decision.verdict()) {
              case SHADOWED -> "would have acted";
              case PROPOSED -> "proposed to act";
              default -> {
                decision.needAllowed();
                // One word of fixed length, so that all runs have the same count.
                String how = decision.modifiedArguments().isPresent() ? "obeyed" : "acted";
                yield how + " at ms" + Instant.now().toEpochMilli();
              }
            };
          });
    } catch (TaskFailure | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the text of the output of the client's tool. */
  private static String ran(HostResult result) throws TaskFailure {
    return switch (result.outcome()) {
      case SHADOWED -> "would have asked the client";
      case PROPOSED -> "proposed to ask the client";
      default -> {
        JsonNode output = result.needDone();
        yield output.isTextual() ? output.textValue() : output.toString();
      }
    };
  }

  private static void work(TaskContext task, int millis) {
    for (int done = 0; done < millis; ) {
      int part = Math.min(DELAY_STEP_MILLIS, millis - done);
      done += part;
      String key = "work:" + done;
      if (!task.recorded(key)) {
        task.pause(Duration.ofMillis(part));
        String text = "Worked " + done + " of " + millis + " ms";
        task.progressAs(key, text, OptionalDouble.of(0.9 * done / millis));
      }
    }
  }

  private static String answer(Message answer) throws TaskFailure {
    return GivenInput.textOf(answer)
        .filter(text -> !text.isBlank())
        .orElseThrow(
            () -> new TaskFailure("no_input", "The answer has no text; expected a text part."));
  }

  private static String read(TaskContext task, String artifactId) throws TaskFailure {
    try {
      return utf8(artifactId, task.download(artifactId, MAX_INPUT_BYTES));
    } catch (CallRefused e) {
      if (e.code() == ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE) {
        throw tooLarge();
      }
      if (e.code() == ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND
          || e.code() == ErrorCode.ERROR_CODE_PERMISSION_DENIED
          || e.code() == ErrorCode.ERROR_CODE_INVALID_REQUEST) {
        throw unreadable(artifactId, "it is absent, has no content or is not for this agent", e);
      }
      throw e;
    }
  }

  private static String utf8(String artifactId, byte[] content) throws TaskFailure {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw unreadable(artifactId, "its content is not UTF-8 text", e);
    }
  }

  private static TaskFailure unreadable(String artifactId, String why, Exception cause) {
    return new TaskFailure(
        "artifact_unreadable", "Artifact " + artifactId + " can't be read: " + why + ".", cause);
  }

  private static void checkSize(List<String> texts) throws TaskFailure {
    long size = 0;
    for (String text : texts) {
      size += text.getBytes(StandardCharsets.UTF_8).length;
    }
    if (size > MAX_INPUT_BYTES) {
      throw tooLarge();
    }
  }

  private static TaskFailure tooLarge() {
    return new TaskFailure(
        "input_too_large",
        "The input has more than the expected " + MAX_INPUT_BYTES + " bytes of UTF-8 text.");
  }
}

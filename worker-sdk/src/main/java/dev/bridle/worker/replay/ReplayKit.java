package dev.bridle.worker.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Role;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.worker.Decision;
import dev.bridle.worker.HostResult;
import dev.bridle.worker.Parts;
import dev.bridle.worker.SaidMessage;
import dev.bridle.worker.TaskHandler;
import java.util.List;
import java.util.Optional;

/**
 * Runs a handler without a server and records its steps, so that a test can replay them: what is
 * not the same in the replay is not deterministic, and would be lost or done twice after a crash,
 * and could not be replayed by a server. Immutable.
 *
 * <pre>{@code
 * ReplayKit.of(new ReadmeAgent()).withText("Ada").run().needSame();
 * }</pre>
 */
public final class ReplayKit {
  private final TaskHandler handler;
  private final Givens givens;
  private final int interruptAfter;

  private ReplayKit(TaskHandler handler, Givens givens, int interruptAfter) {
    this.handler = handler;
    this.givens = givens;
    this.interruptAfter = interruptAfter;
  }

  /** Returns a kit for a handler, whose task has no input yet. */
  public static ReplayKit of(TaskHandler handler) {
    return new ReplayKit(handler, Givens.none(), 0);
  }

  /** Returns a copy whose task's input is a user's message with this text. */
  public ReplayKit withText(String text) {
    Message message =
        Message.newBuilder().setRole(Role.ROLE_USER).addParts(Parts.text(text)).build();
    return with(givens.withInput(TaskInput.newBuilder().setMessage(message).build()));
  }

  /** Returns a copy whose task's input is a JSON object. */
  public ReplayKit withJson(JsonNode input) {
    ByteString json = ByteString.copyFromUtf8(input.toString());
    return with(givens.withInput(TaskInput.newBuilder().setJson(json).build()));
  }

  /** Returns a copy in which the user answers the question of a step. */
  public ReplayKit answering(String stepKey, String text) {
    return with(givens.withAnswer(stepKey, text));
  }

  /** Returns a copy in which the permission that a step requests is decided so. */
  public ReplayKit deciding(String stepKey, Decision.Verdict verdict) {
    return with(
        givens.withDecision(
            stepKey,
            new Decision(
                verdict,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty())));
  }

  /** Returns a copy in which a client's tool gives this to a step. */
  public ReplayKit withTool(String stepKey, HostResult result) {
    return with(givens.withTool(stepKey, result));
  }

  /** Returns a copy whose session has a vault with this secret. */
  public ReplayKit withSecret(String name, String value) {
    return with(givens.withSecret(name, value));
  }

  /** Returns a copy in which there is an artifact to download. */
  public ReplayKit withArtifact(String artifactId, byte[] content) {
    return with(givens.withArtifact(artifactId, content.clone()));
  }

  /** Returns a copy in whose session this was said before, oldest first. */
  public ReplayKit withTranscript(SaidMessage... said) {
    return with(givens.withTranscript(List.of(said)));
  }

  /**
   * Returns a copy in which the first run ends after that many steps, as by a crash, and a second
   * one goes on with the record.
   *
   * @param steps at least 1
   */
  public ReplayKit interruptedAfter(int steps) {
    if (steps < 1) {
      throw new IllegalArgumentException("a run is interrupted after one step at the earliest");
    }
    return new ReplayKit(handler, givens, steps);
  }

  private ReplayKit with(Givens changed) {
    return new ReplayKit(handler, changed, interruptAfter);
  }

  /**
   * Runs the handler to its end.
   *
   * @throws IllegalStateException if the handler wants something that the kit was not given
   */
  public RecordedRun run() {
    RecordingTape tape = new RecordingTape(interruptAfter);
    RunEnd end;
    try {
      end = RunEnd.of(handler, new TapedTask(tape.begin(), givens));
    } catch (RunInterrupted e) {
      end = RunEnd.of(handler, new TapedTask(tape.begin(), givens));
    }
    tape.throwIfNotGiven();
    return new RecordedRun(handler, givens, tape, end);
  }
}

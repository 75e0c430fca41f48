package dev.bridle.worker.replay;

import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import java.util.Optional;

/**
 * How a handler ended.
 *
 * @param result what it returned; empty if it threw
 * @param failure the code of a {@link TaskFailure}, or the type of another exception
 * @param message the exception's message
 */
public record RunEnd(Optional<TaskResult> result, Optional<String> failure, String message) {
  /** Runs a handler to its end. */
  static RunEnd of(TaskHandler handler, TaskContext task) {
    try {
      return new RunEnd(Optional.of(handler.handle(task)), Optional.empty(), "");
    } catch (ReplayDiverged | NotGiven e) {
      throw e;
    } catch (TaskFailure e) {
      return new RunEnd(Optional.empty(), Optional.of(e.code()), e.getMessage());
    } catch (Exception e) {
      return new RunEnd(
          Optional.empty(),
          Optional.of(e.getClass().getName()),
          Optional.ofNullable(e.getMessage()).orElse(""));
    }
  }

  /** Returns the summary of a completed task; empty if it failed. */
  public Optional<String> summary() {
    return result.map(TaskResult::summary);
  }
}

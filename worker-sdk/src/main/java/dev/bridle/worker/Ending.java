package dev.bridle.worker;

import dev.bridle.api.v1.Failure;

/** The result of a handler's run. */
sealed interface Ending {
  /** The run returned a result. */
  record Done(TaskResult result) implements Ending {}

  /** The run failed; {@code retryable} if another attempt may succeed. */
  record Failed(Failure failure, boolean retryable) implements Ending {}

  static Failed failed(String code, String message, boolean retryable) {
    return new Failed(Failure.newBuilder().setCode(code).setMessage(message).build(), retryable);
  }
}

package dev.bridle.worker;

import dev.bridle.api.v1.Failure;

/** How a handler's run ended. */
sealed interface Ending {
  /** With a result. */
  record Done(TaskResult result) implements Ending {}

  /** Without one; whether another attempt may go better. */
  record Failed(Failure failure, boolean retryable) implements Ending {}

  static Ending failed(String code, String message, boolean retryable) {
    return new Failed(Failure.newBuilder().setCode(code).setMessage(message).build(), retryable);
  }
}

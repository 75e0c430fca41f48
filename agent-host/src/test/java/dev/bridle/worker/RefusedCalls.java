package dev.bridle.worker;

import dev.bridle.api.v1.ErrorCode;

/** Makes what a task gets where the core rejects a call, without a core. */
public final class RefusedCalls {
  private RefusedCalls() {}

  /** Returns the rejection of a call for a member of its request. */
  public static CallRefused of(ErrorCode code, String param, String message) {
    return new CallRefused(code, message, param, new IllegalArgumentException(message));
  }
}

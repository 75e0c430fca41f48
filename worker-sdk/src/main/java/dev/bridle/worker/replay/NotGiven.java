package dev.bridle.worker.replay;

/** Thrown where a handler wants what its test did not give. */
final class NotGiven extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  NotGiven(String message) {
    super(message);
  }
}

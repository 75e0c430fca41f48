package dev.bridle.proof.replay;

/** Ends a replay at its first difference. */
final class ReplayException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient ReplayFault fault;

  ReplayException(ReplayFault fault) {
    super(fault.toString());
    this.fault = fault;
  }

  ReplayFault fault() {
    return fault;
  }
}

package dev.bridle.worker;

/** Thrown by a handler to end its task as FAILED, without another attempt. */
public final class TaskFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final String code;

  /** Creates a failure with a short code in lower snake case and a message for the task's user. */
  public TaskFailure(String code, String message) {
    super(message);
    this.code = code;
  }

  /** Creates a failure with a cause, which is logged but not shown to the user. */
  public TaskFailure(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** Returns the code, lower snake case. */
  public String code() {
    return code;
  }
}

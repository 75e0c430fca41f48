package dev.bridle.worker;

/** Says that a task can't be done and why: it ends as FAILED and is not tried again. */
public final class TaskFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final String code;

  /** Makes a failure with a short code in lower snake case and a sentence for the task's user. */
  public TaskFailure(String code, String message) {
    super(message);
    this.code = code;
  }

  /**
   * Makes a failure as above, with what caused it; the cause is logged and not told to the user.
   */
  public TaskFailure(String code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** Returns the code, lower snake case. */
  public String code() {
    return code;
  }
}

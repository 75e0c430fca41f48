package dev.bridle.worker;

/**
 * Thrown in a replay where the computation of a step has failed when it was recorded, unless with a
 * {@link TaskFailure}, which is thrown again. Of other failures only the type is recorded: a
 * handler that decides by the type of what it catches can't be replayed beyond it.
 */
public final class RecordedFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final String type;

  RecordedFailure(String stepKey, String type) {
    super("the step `" + stepKey + "` has failed with " + type + " when it was recorded");
    this.type = type;
  }

  /** Returns the name of the class of the failure. */
  public String type() {
    return type;
  }
}

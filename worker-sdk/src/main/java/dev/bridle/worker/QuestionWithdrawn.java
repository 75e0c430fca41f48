package dev.bridle.worker;

/** Thrown out of {@link TaskContext#requestInput} where the question was withdrawn. */
public final class QuestionWithdrawn extends RuntimeException {
  private static final long serialVersionUID = 1L;

  QuestionWithdrawn(String stepKey) {
    super("the question `" + stepKey + "` was withdrawn", null, false, false);
  }
}

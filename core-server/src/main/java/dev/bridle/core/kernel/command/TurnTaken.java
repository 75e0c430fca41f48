package dev.bridle.core.kernel.command;

/**
 * Ends an attempt of a command whose turn somebody else has; the command begins anew in its own.
 */
final class TurnTaken extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String turn;
  private final boolean afterAttempts;

  /**
   * @param afterAttempts whether earlier attempts may have been applied
   */
  TurnTaken(String turn, boolean afterAttempts) {
    super("The turn '" + turn + "' is taken.", null, false, false);
    this.turn = turn;
    this.afterAttempts = afterAttempts;
  }

  String turn() {
    return turn;
  }

  boolean afterAttempts() {
    return afterAttempts;
  }
}

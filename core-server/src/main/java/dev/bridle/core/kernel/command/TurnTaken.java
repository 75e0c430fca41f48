package dev.bridle.core.kernel.command;

/**
 * Ends an attempt of a command whose turn somebody else has; the command begins anew in its own.
 */
final class TurnTaken extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String turn;

  TurnTaken(String turn) {
    super("The turn '" + turn + "' is taken.", null, false, false);
    this.turn = turn;
  }

  String turn() {
    return turn;
  }
}

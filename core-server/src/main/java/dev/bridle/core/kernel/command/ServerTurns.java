package dev.bridle.core.kernel.command;

/**
 * How servers over one store take turns at a row that all of them change. What has the row's turn
 * in its own process enters and leaves here; calls for one turn come one after another.
 */
interface ServerTurns {
  /** A server that has its store for itself. */
  ServerTurns ALONE =
      new ServerTurns() {
        @Override
        public boolean isContended(String turn) {
          return false;
        }

        @Override
        public void conflicted(String turn) {}

        @Override
        public void enter(String turn) {}

        @Override
        public boolean holds(String turn) {
          return false;
        }

        @Override
        public void leave(String turn) {}
      };

  /** Returns whether other servers have lately changed the row too, so that turns pay. */
  boolean isContended(String turn);

  /** Notes that a command conflicted although it had its process's turn. */
  void conflicted(String turn);

  /**
   * Waits until it is this server's turn, where the row is contended, or for a while: turns only
   * save attempts.
   */
  void enter(String turn);

  /** Returns whether this server has the turn. */
  boolean holds(String turn);

  /** Passes the turn on to a server that waits for it, if there is one. */
  void leave(String turn);
}

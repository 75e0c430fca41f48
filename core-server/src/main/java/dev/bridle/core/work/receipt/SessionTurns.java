package dev.bridle.core.work.receipt;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the endings of one session take turns in this process. All of them change the end of one
 * chain: a first attempt is optimistic while nobody has a turn; others wait for theirs, so that
 * they don't disturb who has it. Thread-safe.
 */
final class SessionTurns {
  private static final int STRIPES = 64;

  /** Turns only save attempts: without one, the store's conflicts keep the chain whole. */
  private static final long PATIENCE_MILLIS = 2_000;

  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

  SessionTurns() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new ReentrantLock(true);
    }
  }

  /** Takes the turn of a session, until the command of this write ends. */
  void take(Write write, String session) {
    ReentrantLock turn = stripes[Math.floorMod(session.hashCode(), STRIPES)];
    boolean free = write.attempt() == 1 && !turn.isLocked();
    if (free || turn.isHeldByCurrentThread()) {
      return;
    }
    if (write.attempt() > 1 && turn.tryLock()) {
      write.afterwards(turn::unlock);
      return;
    }
    try {
      if (turn.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        write.afterwards(turn::unlock);
        // This attempt reads what was there before others took their turns.
        throw new StoreException(Code.CONFLICT, "The session's chain has grown meanwhile.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

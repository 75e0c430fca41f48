package dev.bridle.core.kernel.command;

import dev.bridle.core.kernel.id.IdMint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The values that every attempt of a command must see alike: its time, and ids and random bytes in
 * the order in which they are requested. Not thread-safe.
 */
final class RepeatableValues {
  private final IdMint mint;
  private final long nowMillis;
  private final List<String> ids = new ArrayList<>();
  private final List<byte[]> salts = new ArrayList<>();
  private final List<Runnable> afterwards = new ArrayList<>();
  private Optional<Runnable> turn = Optional.empty();
  private int attempts;
  private int attemptsBeforeTurn;
  private int nextId;
  private int nextSalt;

  RepeatableValues(IdMint mint, long nowMillis) {
    this.mint = mint;
    this.nowMillis = nowMillis;
  }

  void rewind() {
    attempts++;
    nextId = 0;
    nextSalt = 0;
  }

  /** Returns the number of the running attempt, from 1. */
  int attempt() {
    return attempts;
  }

  /** Returns whether the command has a turn. */
  boolean hasTurn() {
    return turn.isPresent();
  }

  /** Returns whether an earlier attempt had the turn already. */
  boolean failedInTurn() {
    return hasTurn() && attempts > attemptsBeforeTurn + 1;
  }

  /**
   * Notes that the command has a turn, or needs none any more.
   *
   * @param end ends the turn with the command
   */
  void takeTurn(Runnable end) {
    turn = Optional.of(end);
    attemptsBeforeTurn = attempts;
  }

  /** Adds what runs once when the command ends, however it ends. */
  void afterwards(Runnable last) {
    afterwards.add(last);
  }

  void end() {
    try {
      afterwards.forEach(Runnable::run);
      afterwards.clear();
    } finally {
      turn.ifPresent(Runnable::run);
    }
  }

  long nowMillis() {
    return nowMillis;
  }

  String id(String prefix) {
    if (nextId == ids.size() || !ids.get(nextId).startsWith(prefix + "_")) {
      ids.add(nextId, mint.next(prefix));
    }
    return ids.get(nextId++);
  }

  byte[] salt(int count) {
    if (nextSalt == salts.size() || salts.get(nextSalt).length != count) {
      salts.add(nextSalt, mint.bytes(count));
    }
    return salts.get(nextSalt++).clone();
  }
}

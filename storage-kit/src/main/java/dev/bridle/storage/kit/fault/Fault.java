package dev.bridle.storage.kit.fault;

import dev.bridle.storage.StoreException.Code;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a {@link FaultyStore} does at one operation. */
public enum Fault {
  /** Does what is asked. */
  NONE(Optional.empty(), Fate.APPLIED),
  /** Writes nothing and says so. */
  CONFLICT(Optional.of(Code.CONFLICT), Fate.LOST),
  /** Reads or writes nothing, and says that the transaction is too old. */
  TOO_OLD(Optional.of(Code.TRANSACTION_TOO_OLD), Fate.LOST),
  /** Commits, and says that the outcome is unknown. */
  UNKNOWN_BUT_APPLIED(Optional.of(Code.COMMIT_UNKNOWN), Fate.APPLIED),
  /** Writes nothing, and says that the outcome is unknown. */
  UNKNOWN_AND_LOST(Optional.of(Code.COMMIT_UNKNOWN), Fate.LOST),
  /** Commits, and says that the cluster changed beneath. */
  CLUSTER_CHANGED_BUT_APPLIED(Optional.of(Code.CLUSTER_CHANGED), Fate.APPLIED),
  /** Writes nothing, and says that the cluster changed beneath. */
  CLUSTER_CHANGED_AND_LOST(Optional.of(Code.CLUSTER_CHANGED), Fate.LOST),
  /** Commits, and says that the transaction ran out of its time, which no retry follows. */
  TIMED_OUT_BUT_APPLIED(Optional.of(Code.TIMED_OUT), Fate.APPLIED),
  /** Reads or writes nothing, and says that the transaction ran out of its time. */
  TIMED_OUT_AND_LOST(Optional.of(Code.TIMED_OUT), Fate.LOST),
  /** Says that the transaction ran out of its time, and commits it later, or has it conflict. */
  TIMED_OUT_THEN_APPLIED(Optional.of(Code.TIMED_OUT), Fate.LATE),
  /** Commits, and says that the transaction was cancelled, which no retry follows. */
  CANCELLED_BUT_APPLIED(Optional.of(Code.CANCELLED), Fate.APPLIED),
  /** Reads or writes nothing, and says that the transaction was cancelled. */
  CANCELLED_AND_LOST(Optional.of(Code.CANCELLED), Fate.LOST),
  /** Says that the transaction was cancelled, and commits it later, or has it conflict. */
  CANCELLED_THEN_APPLIED(Optional.of(Code.CANCELLED), Fate.LATE),
  /** Commits, and says that the operation was cancelled, which no retry follows. */
  OPERATION_CANCELLED_BUT_APPLIED(Optional.of(Code.OPERATION_CANCELLED), Fate.APPLIED),
  /** Reads or writes nothing, and says that the operation was cancelled. */
  OPERATION_CANCELLED_AND_LOST(Optional.of(Code.OPERATION_CANCELLED), Fate.LOST),
  /** Says that the operation was cancelled, and commits it later, or has it conflict. */
  OPERATION_CANCELLED_THEN_APPLIED(Optional.of(Code.OPERATION_CANCELLED), Fate.LATE),
  /** Reads after a while. */
  SLOW(Optional.empty(), Fate.APPLIED),
  /** Fires a watch although nothing has changed. */
  WATCH_EARLY(Optional.empty(), Fate.APPLIED),
  /** Fires a watch some time after the change. */
  WATCH_LATE(Optional.empty(), Fate.APPLIED),
  /** Does nothing, now or ever again: the process is gone. */
  CRASH(Optional.empty(), Fate.LOST),
  /** Commits, and does nothing ever again: the process is gone before it hears of its commit. */
  CRASH_ONCE_APPLIED(Optional.empty(), Fate.APPLIED);

  /** What becomes of the writes of a commit. */
  enum Fate {
    APPLIED,
    LOST,
    LATE
  }

  private static final Set<Fault> OF_READS =
      EnumSet.of(
          TOO_OLD, TIMED_OUT_AND_LOST, CANCELLED_AND_LOST, OPERATION_CANCELLED_AND_LOST, SLOW);
  private static final Set<Fault> OF_WATCHES = EnumSet.of(WATCH_EARLY, WATCH_LATE);

  private final Optional<Code> code;
  private final Fate fate;

  Fault(Optional<Code> code, Fate fate) {
    this.code = code;
    this.fate = fate;
  }

  /** Returns whether this can happen at an operation. */
  public boolean fits(Operation operation) {
    return switch (this) {
      case NONE, CRASH -> true;
      case SLOW -> operation.kind().reads();
      case WATCH_EARLY, WATCH_LATE -> operation.kind() == OperationKind.WATCH;
      default -> operation.writes() || (OF_READS.contains(this) && operation.kind().reads());
    };
  }

  /**
   * Returns the faults that no caller may notice, since they are tried again within the store: all
   * that end neither the transaction for good nor the process.
   */
  public static Set<Fault> hidden() {
    Set<Fault> faults =
        EnumSet.of(
            CONFLICT,
            TOO_OLD,
            UNKNOWN_BUT_APPLIED,
            UNKNOWN_AND_LOST,
            CLUSTER_CHANGED_BUT_APPLIED,
            CLUSTER_CHANGED_AND_LOST,
            SLOW);
    faults.addAll(OF_WATCHES);
    return faults;
  }

  /** Returns the faults after which the process lives on, though not every caller is served. */
  public static Set<Fault> survived() {
    return EnumSet.complementOf(EnumSet.of(NONE, CRASH, CRASH_ONCE_APPLIED));
  }

  /** Returns the error that the caller receives, or empty if there is none. */
  public Optional<Code> code() {
    return code;
  }

  Fate fate() {
    return fate;
  }
}

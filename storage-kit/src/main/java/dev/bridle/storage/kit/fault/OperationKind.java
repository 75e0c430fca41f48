package dev.bridle.storage.kit.fault;

/** What is asked of a store or a transaction. */
public enum OperationKind {
  /** A transaction is begun. */
  BEGIN,
  /** One key is read. */
  GET,
  /** A range is read. */
  GET_RANGE,
  /** The read version is asked for. */
  READ_VERSION,
  /** A key is set, stamped or added to. */
  SET,
  /** A key or a range is cleared. */
  CLEAR,
  /** A range of conflicts is added. */
  ADD_CONFLICT,
  /** A key is watched. */
  WATCH,
  /** A transaction is committed. */
  COMMIT;

  /** Returns whether it brings something from the store. */
  public boolean reads() {
    return this == GET || this == GET_RANGE || this == READ_VERSION;
  }
}

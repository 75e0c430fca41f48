package dev.bridle.proof.replay;

/** Compares a list of the receipt with the events that it was made from. */
interface ListFold {
  /** Compares what an event says with the receipt's entry. */
  void add(LogLine line) throws ReplayException;

  /** Returns the result after the last event. */
  ReplayCheck finish() throws ReplayException;
}

package dev.bridle.worker.replay;

import java.util.Optional;
import java.util.concurrent.Callable;

/** What answers the steps of a handler. Thread-safe. */
interface Tape {
  /**
   * Takes a step.
   *
   * @param step which, and with what content
   * @param first what a step gives that was not taken before
   * @return what it gives
   * @throws Exception what {@code first} throws, or threw
   */
  Object take(TapedStep step, Callable<Object> first) throws Exception;

  /** Returns what earlier runs have kept about the session. */
  Optional<byte[]> state();

  /** Keeps something about the session. */
  void keep(byte[] state);

  /** Returns whether the step was taken before, in this run or an earlier one. */
  boolean has(String key);
}

package dev.bridle.benchmarks.flood;

import java.time.Duration;

/** A thread that keeps connections of one kind open until it is closed. */
interface Attacker extends AutoCloseable {
  /** What is attacked, and as whom. */
  String name();

  /**
   * Begins.
   *
   * @param pause how long a connection that the server ended stays away
   */
  void start(Duration pause);

  /** Says what became of the connections so far. */
  String outcome();

  /** Closes all connections. */
  @Override
  void close();
}

package dev.bridle.core.fault;

/** What clients and workers do, as a script that tries again until it has its answer. */
interface Scenario {
  /**
   * Plays, and checks what was answered.
   *
   * @param world where it plays; begins with one session and nothing in it
   */
  void play(World world);
}

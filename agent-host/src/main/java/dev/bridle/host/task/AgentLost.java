package dev.bridle.host.task;

/** Thrown where an agent's process or connection has ended within a task. */
final class AgentLost extends Exception {
  private static final long serialVersionUID = 1L;

  AgentLost(String why) {
    super(why);
  }
}

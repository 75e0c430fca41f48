package dev.bridle.host.process;

/** Is told of each start and end of a supervised agent, by one thread, in turns. */
public interface AgentLifecycle {
  /**
   * Makes a started process ready: connects, shakes hands, resumes. The agent is ready on return.
   * It may wait; when the time for a start is over, the process is killed, and the wait fails.
   *
   * @throws Exception if the agent can't be used, which ends it and counts as an end by itself
   */
  void started(AgentProcess process) throws Exception;

  /** The process and everything it started is gone; another start may follow. */
  void exited(AgentExit exit);

  /** The last call: no start follows, because it was stopped, or because it ended too often. */
  void over(AgentExit last);
}

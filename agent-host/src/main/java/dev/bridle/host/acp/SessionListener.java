package dev.bridle.host.acp;

/**
 * Is told what happens in a session, in its order, by one thread. While a method runs, what the
 * agent sends waits, first here, then in the agent: so a listener may be slow, but must not wait
 * for the agent.
 */
public interface SessionListener {
  /** The agent has reported something. */
  void update(SessionUpdate update);

  /**
   * The agent asks, and waits. No other question comes before this one is answered or closed.
   * Answer by {@link AcpSession#answer}, now or later.
   */
  void question(Question question);

  /** Nobody is to answer this question any more: the turn, the request or the agent has ended. */
  void questionClosed(Question question);

  /** The session has ended; the last call. */
  void closed(String why);
}

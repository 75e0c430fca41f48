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

  /**
   * The agent says more of the tool call that the open question is about.
   *
   * @param shown the open question
   * @param now the same question with what the agent says now
   * @return whether it is about another action by that; if so, {@link #revised} follows, and an
   *     answer to the open question counts for nothing
   */
  default boolean isAnother(Question.Permission shown, Question.Permission now) {
    return false;
  }

  /** The open question is closed, since its action has changed: another one is open instead. */
  default void revised(Question.Permission shown, Question.Permission now) {}

  /**
   * The agent has said something of a tool call. Unlike {@link #update} this is called for each
   * single thing, at once.
   */
  default void said(CallUpdate update) {}

  /** The session has ended; the last call. */
  void closed(String why);
}

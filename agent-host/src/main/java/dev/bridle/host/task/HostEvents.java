package dev.bridle.host.task;

import java.util.Set;

/** The kinds of the events that readers of a hosted agent's task look for. */
public final class HostEvents {
  /** A piece of the agent's answer. */
  public static final String TEXT = "vendor.agent_host.text";

  /** A tool call's new status, while it goes on. */
  public static final String TOOL_CALL = "vendor.agent_host.tool_call";

  /** The end of a tool call, of the agent's own tools as it reports them. */
  public static final String TOOL_RESULT = "agent.tool_result";

  /** What a tool call gave back after its end was reported. */
  public static final String TOOL_OUTPUT = "vendor.agent_host.tool_output";

  /** A part of the agent's answer that is no text. */
  public static final String CONTENT = "vendor.agent_host.content";

  /** An allowed action of a tool of the host that failed before it had changed anything. */
  public static final String TOOL_FAILED = "vendor.agent_host.tool_failed";

  /** An allowed action whose outcome nobody reported. */
  public static final String OUTCOME_UNKNOWN = "vendor.agent_host.outcome_unknown";

  /** A session of the agent was opened: new, resumed, loaded, or fresh where that fails. */
  public static final String OPENED = "vendor.agent_host.session_opened";

  /** A question that the core rejected, so that nobody was asked. */
  public static final String QUESTION_REJECTED = "vendor.agent_host.question_rejected";

  /** What an agent was told about an action that it has asked for. */
  public static final String ANSWERED = "vendor.agent_host.answered";

  /** The statuses of a tool call that has ended. */
  public static final Set<String> ENDED = Set.of("completed", "failed");

  private HostEvents() {}
}

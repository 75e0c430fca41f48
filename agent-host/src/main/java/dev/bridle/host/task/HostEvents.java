package dev.bridle.host.task;

/** The kinds of the events that readers of a hosted agent's task look for. */
public final class HostEvents {
  /** A piece of the agent's answer. */
  public static final String TEXT = "vendor.agent_host.text";

  /** A tool call's new status. */
  public static final String TOOL_CALL = "vendor.agent_host.tool_call";

  /** An allowed action whose outcome nobody reported. */
  public static final String OUTCOME_UNKNOWN = "vendor.agent_host.outcome_unknown";

  private HostEvents() {}
}

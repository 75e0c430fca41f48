package dev.bridle.host.task;

import dev.bridle.host.acp.ToolCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The calls of the host's own tools that an agent has made. An agent may report any tool call as
 * one that the host executed; that is believed once for each call that the host has served, by the
 * tool's name and by how it ended.
 *
 * <p>A runtime of Harn may report a call before it sends {@code builtin_call} and while the host
 * works on it, but it knows how the call ended only from the host's answer. So a call counts as
 * served before it is answered, and the report that it has ended comes after that. One that is
 * cancelled is answered before its work has ended, and counts then, as failed. Thread-safe.
 */
final class ServedCalls {
  /** Calls that were made, and do not count yet. */
  private final Set<HostCall> open = new HashSet<>();

  private final List<Served> unreported = new ArrayList<>();
  private final Set<String> reported = new HashSet<>();

  private record Served(String tool, boolean succeeded) {}

  /** Takes a call, which counts once it ends. */
  synchronized void begin(HostCall call) {
    open.add(call);
  }

  /**
   * Counts a call that the host is about to answer; later ends of it do nothing.
   *
   * @return whether it counts by this, and not by an earlier end
   */
  synchronized boolean end(HostCall call, boolean succeeded) {
    return open.remove(call) && unreported.add(new Served(call.tool(), succeeded));
  }

  /**
   * Takes the agent's report that a tool call has ended.
   *
   * @return whether the host has served it; a served call is taken by one report
   */
  synchronized boolean take(ToolCall ended) {
    reported.remove(ended.id()); // An id that is used again is another call.
    boolean served =
        ClaimedEffects.isClaimedOfHost(ended)
            && unreported.remove(
                new Served(ClaimedEffects.toolName(ended), ended.status().equals("completed")));
    if (served) {
      reported.add(ended.id());
    }
    return served;
  }

  /** Returns whether the last report of the end of this tool call was one of a served call. */
  synchronized boolean has(String toolCallId) {
    return reported.contains(toolCallId);
  }

  /** Forgets all: the agent has ended, or its turn. */
  synchronized void clear() {
    open.clear();
    unreported.clear();
    reported.clear();
  }
}

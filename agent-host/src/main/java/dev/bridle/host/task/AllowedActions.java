package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.Decision;
import dev.bridle.worker.TaskCancelled;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskSuspended;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an agent was allowed to do in a task, until it reports how that went, and what the host was
 * allowed to do for it, until the result is recorded. Where that never happens, since the agent or
 * this host ended, the record says that the outcome is unknown. Thread-safe.
 */
final class AllowedActions {
  private static final String ALLOWED = "allowed:";
  private static final String OUTCOME = "outcome:";
  private static final String LOST = "lost:";

  /** The fact that names the step whose record settles an action of the host's own. */
  private static final String STEP = "step";

  private final TaskContext task;
  private final Map<String, Allowed> open = new LinkedHashMap<>();
  private final Set<String> ids = new HashSet<>();

  /** Whether they have ended: the tool calls that the agent asked for, by their ids. */
  private final Map<String, Boolean> ended = new HashMap<>();

  /** How often ids were used again that the task's thread has yet to forget. */
  private final Map<String, Integer> again = new HashMap<>();

  private final List<String> unknown = new ArrayList<>();
  private long count;

  private record Allowed(long number, JsonNode facts) {}

  AllowedActions(TaskContext task) {
    this.task = task;
  }

  /** Takes up what earlier runs of the task allowed. */
  synchronized void takeUp() {
    while (task.recorded(ALLOWED + (count + 1))) {
      count++;
      JsonNode facts = recorded(JsonNodeFactory.instance.objectNode());
      if (!isSettled(facts)) {
        lost(new Allowed(count, facts));
      }
    }
  }

  /** Returns whether an earlier run has recorded how the newest one went. */
  private boolean isSettled(JsonNode facts) {
    String step = facts.path(STEP).asText();
    return task.recorded(OUTCOME + count) || (!step.isEmpty() && task.recorded(step));
  }

  /** Records that an action is allowed, durably, before the agent gets the answer. */
  synchronized void allow(String toolCallId, Decision decision, String title) {
    ids.add(toolCallId);
    if (!open.containsKey(toolCallId)) { // One report settles both questions about a tool call.
      add(toolCallId, "tool_call_id", decision, title);
    }
  }

  /**
   * Takes back that an action is allowed: the agent was not answered so.
   *
   * @return the step key of a report that says so; empty if another answer has allowed it, too
   */
  synchronized Optional<String> retract(String toolCallId, boolean wasAllowedBefore) {
    if (wasAllowedBefore) {
      return Optional.empty();
    }
    ids.remove(toolCallId);
    return settle(toolCallId);
  }

  /**
   * Records that an action of the host's own is allowed, durably, before the host begins with it.
   *
   * @param step the key of the step whose record settles it; until then it is open
   */
  synchronized void begin(String step, Decision decision, String title) {
    add(step, STEP, decision, title);
  }

  private void add(String id, String member, Decision decision, String title) {
    count++;
    ObjectNode facts = JsonNodeFactory.instance.objectNode().put(member, id).put("title", title);
    decision.requestId().ifPresent(found -> facts.put("permission_request_id", found));
    decision.grantId().ifPresent(found -> facts.put("grant_id", found));
    open.put(id, new Allowed(count, recorded(facts)));
  }

  /** Returns the facts about the newest one: as an earlier run recorded them, or else these. */
  private JsonNode recorded(JsonNode facts) {
    try {
      return task.step(ALLOWED + count, () -> facts);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a value that is at hand was not recorded", e);
    }
  }

  /**
   * Settles an action.
   *
   * @param id the id of the tool call, or the step of an action of the host's own
   * @return the step key of the report that settles it, which the record of such a step makes
   *     needless; empty if none is open
   */
  synchronized Optional<String> settle(String id) {
    return Optional.ofNullable(open.remove(id)).map(allowed -> OUTCOME + allowed.number());
  }

  /**
   * Takes note that the agent asks for a tool call.
   *
   * @return whether it is another one than before, since the one with this id has ended
   */
  synchronized boolean asked(String toolCallId) {
    return stands(toolCallId, false);
  }

  /**
   * Takes note of a new status of a tool call. Only what was asked for is of interest.
   *
   * @return whether it is another one than before, since the one with this id had ended
   */
  synchronized boolean reported(ToolCall call) {
    return ended.containsKey(call.id()) && stands(call.id(), call.over());
  }

  private boolean stands(String toolCallId, boolean over) {
    boolean isAgain = Boolean.TRUE.equals(ended.put(toolCallId, over)) && !over;
    if (isAgain) {
      again.merge(toolCallId, 1, Integer::sum);
    }
    return isAgain;
  }

  /**
   * Drops what was allowed under an id that another tool call has now. For the task's thread, once
   * for each such call, after it has judged the one before.
   */
  synchronized void forget(String toolCallId) {
    ids.remove(toolCallId);
    again.computeIfPresent(toolCallId, (id, times) -> times == 1 ? null : times - 1);
  }

  /** Returns whether a tool call was allowed, as far as the task's thread has come. */
  synchronized boolean has(String toolCallId) {
    return ids.contains(toolCallId);
  }

  /**
   * Checks that a tool call was allowed, as {@link #has} says.
   *
   * @throws TaskFailure {@code acted_without_asking} if it was not
   */
  void needAllowed(String toolCallId, String title) throws TaskFailure {
    if (!has(toolCallId)) {
      throw new TaskFailure(
          "acted_without_asking", "The agent has done something that it did not ask for: " + title);
    }
  }

  /** Returns whether a tool call that the agent reports now was allowed. */
  synchronized boolean isKnown(String toolCallId) {
    return ids.contains(toolCallId) && !again.containsKey(toolCallId);
  }

  /** Records that nobody knows how the open ones went: their agent has ended, or its turn. */
  synchronized void lose() {
    try {
      open.values().forEach(this::lost);
    } catch (TaskCancelled | TaskSuspended | CallRefused e) {
      // The task's own thread gets this as well; the next run records it.
    } finally {
      open.clear();
      ids.clear(); // The next agent may use them for other calls.
      ended.clear();
      again.clear();
    }
  }

  private void lost(Allowed allowed) {
    unknown.add(allowed.facts().path("title").asText());
    task.event(LOST + allowed.number(), HostEvents.OUTCOME_UNKNOWN, allowed.facts());
  }

  /** Returns the titles of those whose outcome is unknown. */
  synchronized List<String> unknown() {
    return List.copyOf(unknown);
  }
}

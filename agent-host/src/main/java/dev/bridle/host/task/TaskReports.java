package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.acp.SessionUpdate.Voice;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.TaskCancelled;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskSuspended;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes events of a task of what an agent reports. Called by the agent's connection while the
 * task's own thread may wait for an answer.
 */
final class TaskReports {
  private static final int MAX_TITLE = 1000;
  private static final int MAX_ANSWER = 60_000;
  private static final int MAX_UPDATE = 16 << 10;

  /** Updates about work that others do for the agent. */
  private static final Set<String> HANDOFFS = Set.of("worker_update", "handoff");

  /** Statuses in which a tool call ends. */
  static final Set<String> ENDED = Set.of("completed", "failed");

  private final TaskContext task;
  private final AllowedActions allowed;
  private final String run;
  private final StringBuilder answer = new StringBuilder();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private long count;
  private long questions;
  private long calls;

  /**
   * Creates the reports of one run of a handler.
   *
   * @param allowed receives which of them have ended
   * @param run distinguishes its step keys from those of other runs
   */
  TaskReports(TaskContext task, AllowedActions allowed, String run) {
    this.task = task;
    this.allowed = allowed;
    this.run = run;
  }

  /** Returns a step key of this run. */
  String key(String what, long number) {
    return what + ":" + run + ":" + number;
  }

  /**
   * Returns the step key of the next question of this run. A restarted agent asks anew: under a key
   * of its predecessor it would get that one's answer.
   */
  synchronized String questionKey() {
    return key("question", ++questions);
  }

  /** Returns the step key of the next call of a tool of the host. */
  synchronized String toolKey(String what) {
    return key(what, ++calls);
  }

  /** Reports what the agent notifies beside its session. A failure is kept, as by {@link #add}. */
  synchronized void notified(String kind, ObjectNode payload) {
    guarded(() -> event("vendor.agent_host." + kind, payload));
  }

  /** Returns what the agent said after its last tool call, cut where it is very long. */
  synchronized String answer() {
    return answer.toString();
  }

  /** Throws what a report failed with, if one did. */
  void throwIfFailed() {
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  /** Reports an update. A failure is kept for the task's own thread. */
  synchronized void add(SessionUpdate update) {
    guarded(() -> report(update));
  }

  private void guarded(Runnable report) {
    try {
      report.run();
    } catch (TaskCancelled | TaskSuspended e) {
      // The task's own thread gets this as well.
    } catch (CallRefused e) {
      failure.compareAndSet(null, e);
    }
  }

  private void report(SessionUpdate update) {
    if (update instanceof SessionUpdate.Text text) {
      text(text);
    } else if (update instanceof SessionUpdate.Tool tool) {
      tool(tool);
    } else if (update instanceof SessionUpdate.Plan plan) {
      whole("plan", plan.entries());
    } else if (update instanceof SessionUpdate.Mode mode) {
      event("vendor.agent_host.mode", object().put("mode_id", mode.modeId()));
    } else if (update instanceof SessionUpdate.Usage usage) {
      event(
          "vendor.agent_host.context",
          object().put("used", usage.used()).put("size", usage.size()));
    } else if (update instanceof SessionUpdate.Content content) {
      event("vendor.agent_host.content", object().put("bytes", content.block().length()));
    } else if (update instanceof SessionUpdate.Other other) {
      other(other);
    }
  }

  /** Variants of Harn's and of others are kept as they were spelled, if they are not too long. */
  private void other(SessionUpdate.Other other) {
    boolean handoff = HANDOFFS.contains(other.variant());
    ObjectNode payload = object().put("variant", cut(other.variant()));
    try {
      if (other.update().length() <= MAX_UPDATE) {
        payload.set("update", other.update().json());
      } else {
        payload.put("bytes", other.update().length());
      }
    } catch (BadJson e) {
      payload.put("bytes", other.update().length());
    }
    event(handoff ? "agent.handoff" : "vendor.agent_host.update", payload);
  }

  private static String cut(String text) {
    return text.length() <= MAX_TITLE ? text : text.substring(0, MAX_TITLE);
  }

  private void text(SessionUpdate.Text text) {
    if (text.text().isEmpty() || text.voice() == Voice.USER) {
      return;
    }
    boolean thought = text.voice() == Voice.THOUGHT;
    if (!thought && answer.length() < MAX_ANSWER) {
      answer.append(text.text());
    }
    ObjectNode payload =
        object()
            .put("message_id", text.messageId())
            .put("offset", text.offset())
            .put("text", text.text());
    if (thought) {
      task.event(
          key("event", ++count),
          "vendor.agent_host.thought",
          payload,
          Visibility.VISIBILITY_INTERNAL);
    } else {
      event(HostEvents.TEXT, payload);
    }
  }

  private void tool(SessionUpdate.Tool tool) {
    ToolCall call = tool.call();
    Optional<String> settles =
        tool.statusChanged() && ENDED.contains(call.status())
            ? allowed.settle(call.id())
            : Optional.empty();
    if (tool.first()) {
      answer.setLength(0);
      event("agent.tool_use", call(call));
    }
    if (settles.isPresent()) {
      task.event(settles.get(), HostEvents.TOOL_CALL, call(call));
    } else if (tool.statusChanged() && !tool.first()) {
      event(HostEvents.TOOL_CALL, call(call));
    }
  }

  private static ObjectNode call(ToolCall call) {
    String title = call.title();
    return object()
        .put("tool_call_id", call.id())
        .put("tool_name", call.kind())
        .put("title", cut(title))
        .put("status", call.status());
  }

  private void whole(String member, RawJson json) {
    try {
      JsonNode value = json.json();
      event("vendor.agent_host." + member, object().set(member, value));
    } catch (BadJson e) {
      event("vendor.agent_host." + member, object().put("bytes", json.length()));
    }
  }

  private void event(String kind, ObjectNode payload) {
    task.event(key("event", ++count), kind, payload);
  }

  /** Returns what the agent said, as the summary of the task. */
  String summary() {
    return Optional.of(answer().strip()).filter(text -> !text.isEmpty()).orElse("Done.");
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}

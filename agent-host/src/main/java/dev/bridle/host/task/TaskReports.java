package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.acp.SessionUpdate.Voice;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.TaskCancelled;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskSuspended;
import dev.bridle.worker.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes events of a task of what an agent reports. Called by the agent's connection while the
 * task's own thread may wait for an answer.
 */
final class TaskReports {
  static final int MAX_TITLE = 1000;

  /** Of how many tool calls of a task it is recorded what they did; of the others, events tell. */
  private static final int MOST_CLAIMS = 100;

  private static final String EVENT = "event";

  /** What begins the step keys of events: a later run has others, and need not know them. */
  static final String EVENT_KEYS = EVENT + ":";

  private final TaskContext task;
  private final AllowedActions allowed;
  private final SessionCost cost;
  private final SkillIds skillIds;
  private final KeptContent kept = new KeptContent();
  private final ServedCalls served;
  private final String run;
  private final SpokenText spoken = new SpokenText();

  /** Whether what is reported came between two tasks. */
  private boolean isBetween;

  private final Set<String> claimed = new HashSet<>();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private long count;
  private long questions;
  private long calls;

  /**
   * Creates the reports of one run of a handler.
   *
   * @param allowed receives which of them have ended
   * @param cost what the agent's session has cost
   * @param skillIds the ids of the skills that it names
   * @param served which calls of the host's tools it has made
   * @param run distinguishes its step keys from those of other runs
   */
  TaskReports(
      TaskContext task,
      AllowedActions allowed,
      SessionCost cost,
      SkillIds skillIds,
      ServedCalls served,
      String run) {
    this.served = served;
    this.skillIds = skillIds;
    this.cost = cost;
    this.task = task;
    this.allowed = allowed;
    this.run = run;
  }

  /**
   * Returns the step key of the next event, of which an agent makes ten a second while it talks.
   */
  private String eventKey() {
    return key(EVENT, ++count);
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

  /** Returns the images and the like of an update, each of which becomes an artifact. */
  synchronized List<AttachedBytes> attachments(SessionUpdate update) {
    return Attachments.of(update, kept);
  }

  /** Keeps bytes as an artifact. On the task's own thread, since it waits for the core. */
  void attach(AttachedBytes bytes) {
    String key;
    synchronized (this) {
      key = key("artifact", ++count);
    }
    Attachments.keep(task, key, bytes);
  }

  /** Reports what the agent notifies beside its session. A failure is kept, as by {@link #add}. */
  void notified(String kind, ObjectNode payload) {
    host("vendor.agent_host." + kind, payload);
  }

  /** Reports an event of the host's own. A failure is kept, as by {@link #add}. */
  synchronized void host(String kind, ObjectNode payload) {
    guarded(() -> event(kind, payload));
  }

  /**
   * Reports that nobody was asked what an agent asks. A failure is kept, as by {@link #add}.
   *
   * @return the reason as it is reported
   */
  String rejected(Question question, String why) {
    String reason = cut(why);
    host(
        HostEvents.QUESTION_REJECTED,
        object().put("tool_call_id", cut(question.toolCallId())).put("reason", reason));
    return reason;
  }

  /** Returns what the agent said after its last tool call, cut where it is very long. */
  synchronized String answer() {
    return spoken.answer();
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

  /**
   * Reports what came between two tasks: its events say so, and what the agent said then becomes a
   * message of its own. On the task's own thread.
   */
  void between(UpdatesBetween.Kept between) {
    List<ClaimedEffects.Returned> returned = new ArrayList<>();
    synchronized (this) {
      isBetween = true;
      for (SessionUpdate update : between.updates()) {
        add(update);
        if (update instanceof SessionUpdate.Tool tool && tool.call().over()) {
          claim(tool.call()).ifPresent(returned::add);
        }
      }
      if (between.dropped() > 0) {
        host("vendor.agent_host.updates_dropped", object().put("updates", between.dropped()));
      }
      isBetween = false;
    }
    message();
    returned.forEach(this::record);
    between.updates().stream()
        .flatMap(update -> attachments(update).stream())
        .forEach(this::attach);
    synchronized (this) {
      spoken.beginCall();
    }
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
    } else if (update instanceof SessionUpdate.Commands commands) {
      whole("commands", commands.commands());
    } else if (update instanceof SessionUpdate.ConfigOptions options) {
      whole("config_options", options.options());
    } else if (update instanceof SessionUpdate.Mode mode) {
      event("vendor.agent_host.mode", object().put("mode_id", mode.modeId()));
    } else if (update instanceof SessionUpdate.Usage usage) {
      usage(usage);
    } else if (update instanceof SessionUpdate.Content content) {
      content(content);
    } else if (update instanceof SessionUpdate.Other other) {
      event(VariantEvent.kind(other), VariantEvent.payload(other, skillIds));
    }
  }

  private void content(SessionUpdate.Content content) {
    if (content.voice() == Voice.USER) {
      return;
    }
    ContentBlock block = ContentBlock.of(content.block());
    String readable = block.readable();
    ObjectNode payload = object().put("message_id", cut(content.messageId())).put("text", readable);
    payload.set("content", kept.block(block));
    if (content.voice() == Voice.THOUGHT) {
      task.event(eventKey(), HostEvents.CONTENT, payload, Visibility.VISIBILITY_INTERNAL);
      return;
    }
    spoken.say(readable);
    event(HostEvents.CONTENT, payload);
  }

  private void usage(SessionUpdate.Usage usage) {
    ObjectNode payload = object().put("used", usage.used()).put("size", usage.size());
    Optional<BigDecimal> whole = usage.cost().flatMap(SessionCost::amount);
    if (whole.isPresent()) {
      payload.put("session_cost", whole.get()).put("currency", cut(usage.cost().get().currency()));
      cost.add(whole.get(), usage.cost().get().currency())
          .ifPresent(more -> task.usage(key("usage", ++count), Usage.ofModel("", 0, 0, more)));
    }
    event("vendor.agent_host.context", payload);
  }

  private static String cut(String text) {
    return KeptText.of(text, MAX_TITLE);
  }

  private void text(SessionUpdate.Text text) {
    if (text.text().isEmpty() || text.voice() == Voice.USER) {
      return;
    }
    boolean thought = text.voice() == Voice.THOUGHT;
    if (!thought) {
      spoken.say(text.text());
    }
    ObjectNode payload =
        object()
            .put("message_id", cut(text.messageId()))
            .put("offset", text.offset())
            .put("text", KeptText.of(text.text(), Integer.MAX_VALUE));
    if (thought) {
      task.event(eventKey(), "vendor.agent_host.thought", payload, Visibility.VISIBILITY_INTERNAL);
    } else {
      event(HostEvents.TEXT, payload);
    }
  }

  /**
   * Makes one message of the session of what the agent said in a turn, which events have piece by
   * piece. On the task's own thread, since it waits for the core.
   */
  void message() {
    String text;
    String key;
    synchronized (this) {
      text = spoken.takeMessage();
      key = key("message", ++count);
    }
    if (!text.isEmpty()) {
      var unused = task.message(key, text);
    }
  }

  private void tool(SessionUpdate.Tool tool) {
    ToolCall call = tool.call();
    boolean ended = tool.statusChanged() && HostEvents.ENDED.contains(call.status());
    boolean known = (ended && served.take(call)) || isKnown(call.id());
    if (tool.first()) {
      spoken.beginCall();
      event("agent.tool_use", withInput(call, ToolCallFacts.call(call, known)));
    }
    if (ended) {
      ObjectNode result = withInput(call, ToolCallFacts.result(call, known));
      kept.addOutput(call, result);
      allowed
          .settle(call.id())
          .ifPresentOrElse(
              key -> task.event(key, HostEvents.TOOL_RESULT, result),
              () -> event(HostEvents.TOOL_RESULT, result));
    } else if (tool.statusChanged() && !tool.first()) {
      event(HostEvents.TOOL_CALL, withInput(call, ToolCallFacts.call(call, known)));
    } else if (!tool.statusChanged() && call.over()) {
      kept.laterOutput(call)
          .ifPresent(
              output ->
                  event(
                      HostEvents.TOOL_OUTPUT,
                      object().put("tool_call_id", cut(call.id())).set("output", output)));
    }
  }

  private ObjectNode withInput(ToolCall call, ObjectNode facts) {
    kept.addInput(call, facts);
    return facts;
  }

  private boolean isKnown(String toolCallId) {
    return allowed.isKnown(toolCallId) || isServed(toolCallId);
  }

  /** Returns whether the host itself has run a tool call, and the agent has reported its end. */
  boolean isServed(String toolCallId) {
    return served.has(toolCallId);
  }

  /**
   * Reports what an ended tool call has done, once for each call that the host has not served: of
   * its own tools it knows more. A failure is kept, as by {@link #add}.
   *
   * @return what it gave back, to be recorded
   */
  synchronized Optional<ClaimedEffects.Returned> claim(ToolCall call) {
    if (isServed(call.id()) || claimed.size() >= MOST_CLAIMS || !claimed.add(call.id())) {
      return Optional.empty();
    }
    guarded(
        () ->
            ClaimedEffects.of(call)
                .forEach(effect -> task.sideEffect(key("agent", ++count), effect)));
    return ClaimedEffects.returned(call);
  }

  /** Records what a tool call gave back. On the task's own thread, since it waits for the core. */
  void record(ClaimedEffects.Returned returned) {
    String key;
    synchronized (this) {
      key = key(returned.kind(), ++count);
    }
    try {
      JsonNode unused =
          returned.inputHash().isEmpty()
              ? task.step(key, returned::value)
              : task.step(key, returned.inputHash(), returned::value);
    } catch (CallRefused e) {
      // What an agent claims is not worth its task.
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a value that is at hand was not recorded", e);
    }
  }

  private void whole(String member, RawJson json) {
    ObjectNode payload = object();
    KeptText.json(json, Integer.MAX_VALUE)
        .ifPresentOrElse(
            value -> payload.set(member, value), () -> payload.put("bytes", json.length()));
    event("vendor.agent_host." + member, payload);
  }

  private void event(String kind, ObjectNode payload) {
    if (isBetween) {
      payload.put("between_tasks", true);
    }
    task.event(eventKey(), kind, payload);
  }

  /** Returns what the agent said, as the summary of the task. */
  String summary() {
    return Optional.of(answer().strip()).filter(text -> !text.isEmpty()).orElse("Done.");
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}

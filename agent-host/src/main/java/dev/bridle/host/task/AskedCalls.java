package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.acp.CallUpdate;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the tool calls of a turn were asked for with, so that one which then goes on as another
 * action is noticed. What people were shown and did not allow counts for nothing. Thread-safe.
 */
final class AskedCalls {
  /** How many allowed calls are compared. */
  private static final int MOST = 2000;

  private static final long MOST_BYTES = 32L << 20;

  private static final Set<String> PROGRESS = Set.of("status", "rawOutput");

  private final RequestTraits traits;
  private final Path folder;

  /** What is shown by questions that are not answered yet. */
  private final IdentityHashMap<Question, Shown> asked = new IdentityHashMap<>();

  /** The question that was compared last, which may be asked next. */
  private Optional<Made> made = Optional.empty();

  /** What was shown by those that were allowed, by the id of the call. */
  private final Map<String, AllowedCall> allowed = new LinkedHashMap<>();

  private record Made(Question.Permission question, AskedAction action) {}

  /** A question as people are shown it. */
  private static final class Shown {
    private final AskedAction action;
    private final ShownCall call;

    /** What was said of its call by then, which makes no other action. */
    private Map<String, RawJson> said;

    Shown(AskedAction action, ShownCall call, Map<String, RawJson> said) {
      this.action = action;
      this.call = call;
      this.said = said;
    }
  }

  AskedCalls(RequestTraits traits, Path folder) {
    this.traits = traits;
    this.folder = folder;
  }

  /** Returns the action that a question is about. */
  AskedAction action(Question.Permission question) {
    synchronized (this) {
      Shown shown = asked.get(question);
      if (shown != null) {
        return shown.action;
      }
      if (made.isPresent() && made.get().question().equals(question)) {
        return made.get().action();
      }
    }
    return AskedAction.of(question, folder, traits);
  }

  /** Notes what is asked. */
  void asked(Question.Permission question) {
    AskedAction action = action(question);
    ShownCall call = ShownCall.of(question, action, traits, folder);
    synchronized (this) {
      made = Optional.empty();
      Optional.ofNullable(allowed.get(question.toolCallId()))
          .ifPresent(before -> call.follow(before.newest()));
      asked.put(question, new Shown(action, call, said(question.known())));
    }
  }

  /**
   * Returns whether what is said of a call while it is asked for makes another action of it.
   *
   * @param shown the question that is open
   * @param now the question with what is said now
   */
  boolean isAnother(Question.Permission shown, Question.Permission now) {
    Map<String, RawJson> said = said(now.known());
    synchronized (this) {
      if (asked.containsKey(shown) && asked.get(shown).said.equals(said)) {
        return false;
      }
    }
    AskedAction action = AskedAction.of(now, folder, traits);
    boolean isAnother = !action.equals(action(shown));
    synchronized (this) {
      if (isAnother) {
        made = Optional.of(new Made(now, action));
      } else if (asked.containsKey(shown)) {
        Shown open = asked.get(shown);
        open.said = said;
        now.known().ifPresent(open.call::said);
      }
    }
    return isAnother;
  }

  /** How a call goes is no part of what it is. */
  private static Map<String, RawJson> said(Optional<ToolCall> call) {
    Map<String, RawJson> members = new HashMap<>(call.map(ToolCall::members).orElse(Map.of()));
    members.keySet().removeAll(PROGRESS);
    return members;
  }

  /** Forgets what a question shows that has no answer, or none that allows it. */
  synchronized void closed(Question question) {
    asked.remove(question);
  }

  /** Returns whether no further call can be compared, so that none may be allowed. */
  synchronized boolean isFull() {
    Iterator<AllowedCall> oldest = allowed.values().iterator();
    while (oldest.hasNext() && !hasRoom()) {
      if (oldest.next().isOver()) {
        oldest.remove();
      }
    }
    return !hasRoom();
  }

  private boolean hasRoom() {
    return allowed.size() < MOST
        && allowed.values().stream().mapToLong(AllowedCall::bytes).sum() < MOST_BYTES;
  }

  /**
   * Notes that a call is about to be allowed as a question shows it.
   *
   * @param arguments what is allowed instead of the arguments that it was asked for with
   * @return what is to be {@linkplain #retract retracted} if the agent does not get the answer
   */
  synchronized Optional<ShownCall> allow(Question question, Optional<JsonNode> arguments) {
    Optional<ShownCall> shown =
        Optional.ofNullable(asked.get(question))
            .map(as -> arguments.map(as.call::with).orElse(as.call));
    shown.ifPresent(
        as ->
            allowed
                .computeIfAbsent(question.toolCallId(), id -> new AllowedCall())
                .allow(question, as));
    return shown;
  }

  /** Takes back that a call is allowed. */
  synchronized void retract(String toolCallId, ShownCall shown) {
    AllowedCall call = allowed.get(toolCallId);
    if (call != null && call.retract(shown)) {
      allowed.remove(toolCallId);
    }
  }

  /** Forgets what was allowed under an id that another call has now. */
  synchronized void begunAgain(String toolCallId) {
    allowed.remove(toolCallId);
  }

  /**
   * Returns what a call, as the agent reports it now, is otherwise than was shown, once. Empty if
   * it is the same, or if people are asked about it as it is now: that is returned later, unless
   * they allow it.
   */
  synchronized Optional<Difference> takeDifference(CallUpdate update) {
    AllowedCall call = allowed.get(update.call().id());
    if (call == null) {
      return Optional.empty();
    }
    Optional<Difference> certain = call.difference(update).map(Difference::of);
    if (certain.isPresent()) {
      allowed.remove(update.call().id());
    }
    return certain.or(() -> call.takeFirstName(update.call()).map(Difference::ofName));
  }
}

package dev.bridle.host.acp;

import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.RawJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Passes the questions of a session to its listener, one after the other, each as what the agent
 * asks for by then. Thread-safe; the listener is called by the connection's one thread.
 */
final class SessionQuestions {
  /** How long a question waits for the rest of its call. */
  private static final Duration REST = Duration.ofMillis(500);

  private final Questions questions = new Questions();
  private final AcpCalls calls;
  private final SessionListener listener;
  private final BooleanSupplier asks;

  /**
   * @param asks whether the session is in a phase in which people are asked
   */
  SessionQuestions(AcpCalls calls, SessionListener listener, BooleanSupplier asks) {
    this.calls = calls;
    this.listener = listener;
    this.asks = asks;
  }

  boolean isEmpty() {
    return questions.isEmpty();
  }

  boolean isOpen(Question question) {
    return questions.isOpen(question);
  }

  /**
   * Takes a question. By the connection's thread.
   *
   * @param isUnfinished whether the agent is going to say more of it first
   */
  void ask(Question question, IncomingRequest request, boolean isUnfinished) {
    boolean waits = isUnfinished && question instanceof Question.Permission;
    questions.add(question, request, waits);
    if (waits) {
      Question.Permission permission = (Question.Permission) question;
      boolean isScheduled =
          calls.afterPause(
              REST,
              () -> {
                questions.endWait(permission);
                askNext();
              });
      if (!isScheduled) {
        questions.endWait(permission);
      }
    }
    askNext();
  }

  /** What was said of a tool call changes the questions about it, or tells how it goes on. */
  void said(CallUpdate update) {
    ToolCall call = update.call();
    List<Question.Permission> waiting = new ArrayList<>();
    for (Question.Permission asked : questions.about(call.id())) {
      Question.Permission now = asked.withKnown(call);
      boolean isAnother = questions.isOpen(asked) && listener.isAnother(asked, now);
      if (questions.isOpen(asked) && !isAnother) {
        waiting.add(asked);
        continue;
      }
      switch (questions.revise(asked, now)) {
        case UNTOLD -> waiting.add(now);
        case TOLD -> {
          waiting.add(now);
          listener.revised(asked, now);
        }
        case ANSWERED -> {}
      }
    }
    listener.said(update.about(waiting));
    askNext();
  }

  /** Answers the open question, as it was told; the next one may follow. */
  boolean answer(Question question, Reply reply) {
    if (!questions.answer(question, reply)) {
      return false;
    }
    var unused = calls.inTurn(this::askNext);
    return true;
  }

  /** Takes back what the agent does not want answered. By the connection's thread. */
  void withdraw(RawJson requestId) {
    Optional<Question> closed = questions.withdraw(requestId);
    if (closed.isPresent()) {
      listener.questionClosed(closed.get());
      askNext();
    }
  }

  private void askNext() {
    if (asks.getAsBoolean()) {
      questions.next().ifPresent(listener::question);
    } else {
      cancel();
    }
  }

  /** Answers all that nobody will answer. */
  void cancel() {
    Optional<Question> asked = questions.cancelAll();
    if (asked.isPresent()) {
      var unused = calls.inTurn(() -> listener.questionClosed(asked.get()));
    }
  }

  /** Does the same at the session's end. By the connection's thread. */
  void close() {
    questions.cancelAll().ifPresent(listener::questionClosed);
  }
}

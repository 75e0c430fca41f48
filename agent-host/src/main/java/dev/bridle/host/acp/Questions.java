package dev.bridle.host.acp;

import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.RawJson;
import dev.bridle.host.rpc.RpcError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The questions of a session: the first is open, the others wait. One that repeats another (the
 * same tool call with the same content) gets its answer; the same tool call with other content is a
 * question of its own. Thread-safe.
 */
final class Questions {
  static final int MOST = 64;

  private static final long MOST_BYTES = 32L << 20;

  private final Deque<Asked> waiting = new ArrayDeque<>();

  private static final class Asked {
    /** What was asked, as the agent has it by now. */
    private Question question;

    private final List<IncomingRequest> requests = new ArrayList<>();
    private boolean told;

    /** Whether the agent is to say more of it first. */
    private boolean waits;

    Asked(Question question, boolean waits) {
      this.question = question;
      this.waits = waits;
    }

    boolean repeats(Question other) {
      return !other.toolCallId().isEmpty()
          && question.getClass() == other.getClass()
          && question.whole().equals(other.whole());
    }

    void answer(Reply reply) {
      for (IncomingRequest request : requests) {
        if (reply instanceof Reply.Failed failed) {
          request.fail(RpcError.of(RpcError.INTERNAL, failed.message()));
        } else {
          request.respond(Reply.resultOf(question, reply));
        }
      }
    }
  }

  /**
   * Takes a question, to be asked when it is the first.
   *
   * @param waits whether it is asked only once the agent has said more of it: see {@link #revise}
   *     and {@link #endWait}
   */
  synchronized void add(Question question, IncomingRequest request, boolean waits) {
    for (Asked asked : waiting) {
      if (asked.repeats(question) && asked.requests.size() < MOST) {
        asked.requests.add(request);
        return;
      }
    }
    long bytes = waiting.stream().mapToLong(asked -> asked.question.whole().length()).sum();
    if (waiting.size() >= MOST || bytes + question.whole().length() > MOST_BYTES) {
      request.fail(RpcError.of(RpcError.INTERNAL, "Too many questions wait"));
      return;
    }
    Asked asked = new Asked(question, waits);
    asked.requests.add(request);
    waiting.add(asked);
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Returns the first question, once. */
  synchronized Optional<Question> next() {
    Asked first = waiting.peek();
    if (first == null || first.told || first.waits) {
      return Optional.empty();
    }
    first.told = true;
    return Optional.of(first.question);
  }

  /** Returns the permissions that are asked for about a tool call, as they are asked now. */
  synchronized List<Question.Permission> about(String toolCallId) {
    return waiting.stream()
        .map(asked -> asked.question)
        .filter(question -> question.toolCallId().equals(toolCallId))
        .filter(Question.Permission.class::isInstance)
        .map(Question.Permission.class::cast)
        .toList();
  }

  /** Returns whether a question was told, and waits for its answer as it was told. */
  synchronized boolean isOpen(Question question) {
    return !waiting.isEmpty() && waiting.peek().told && waiting.peek().question == question;
  }

  /** What became of a question whose action has changed. */
  enum Revised {
    /** It is not told yet. */
    UNTOLD,
    /** It was told, and counts as told with what it is now. */
    TOLD,
    /** It is answered. */
    ANSWERED
  }

  /**
   * Puts a question in the place of another one: an answer to that counts for nothing from now on.
   */
  synchronized Revised revise(Question before, Question after) {
    for (Asked asked : waiting) {
      if (asked.question == before) {
        asked.question = after;
        asked.waits = false;
        return asked.told ? Revised.TOLD : Revised.UNTOLD;
      }
    }
    return Revised.ANSWERED;
  }

  /** Asks a question whose agent has not said more of it; nothing if it has, or it is answered. */
  synchronized void endWait(Question.Permission question) {
    for (Asked asked : waiting) {
      if (asked.question == question && asked.waits) {
        asked.question = question.asIncomplete();
        asked.waits = false;
      }
    }
  }

  /**
   * Answers the open question.
   *
   * @return whether it was the open one, as it is asked now
   * @throws IllegalArgumentException if the reply does not fit; nothing is answered then
   */
  boolean answer(Question question, Reply reply) {
    Asked asked;
    Reply.check(question, reply);
    synchronized (this) {
      if (waiting.isEmpty() || waiting.peek().question != question) {
        return false;
      }
      asked = waiting.remove();
    }
    asked.answer(reply);
    return true;
  }

  /** Answers all that nobody will answer, and returns the one that was told. */
  Optional<Question> cancelAll() {
    List<Asked> all;
    synchronized (this) {
      all = new ArrayList<>(waiting);
      waiting.clear();
    }
    for (Asked asked : all) {
      asked.answer(new Reply.Cancelled());
    }
    return all.stream().filter(asked -> asked.told).findFirst().map(asked -> asked.question);
  }

  /** Takes back the request that the agent does not want answered; returns it if it was told. */
  synchronized Optional<Question> withdraw(RawJson requestId) {
    for (Asked asked : List.copyOf(waiting)) {
      for (IncomingRequest request : List.copyOf(asked.requests)) {
        if (request.id().equals(requestId)) {
          request.fail(RpcError.of(RpcError.CANCELLED, "The request was cancelled"));
          asked.requests.remove(request);
          if (asked.requests.isEmpty()) {
            waiting.remove(asked);
            return asked.told ? Optional.of(asked.question) : Optional.empty();
          }
        }
      }
    }
    return Optional.empty();
  }
}

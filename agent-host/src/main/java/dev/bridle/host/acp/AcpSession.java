package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.SessionPhase.Event;
import dev.bridle.host.rpc.AnsweredError;
import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.RawJson;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A session of an agent: turns of prompts, what it reports meanwhile, and what it asks.
 * Thread-safe; the listener is called by the connection's one thread.
 */
public final class AcpSession {
  private final String id;
  private final AcpCalls calls;
  private final SessionListener listener;
  private final boolean speaksBridge;
  private final boolean completesInput;
  private final SessionQuestions questions;
  private final SessionUpdates updates;
  private final SessionHistory history;
  private final LateHistory late;
  private final IdleWatch idles = new IdleWatch();
  private SessionPhase phase = SessionPhase.OPENING;

  /** Whether the open turn began without a prompt of ACP. */
  private volatile boolean isWoken;

  /** The open turn, or the last one. */
  private CompletableFuture<PromptEnd> turn = new CompletableFuture<>();

  /**
   * Creates a session.
   *
   * @param speaksBridge whether the agent speaks the bridge protocol below ACP
   * @param completesInput whether the agent says the rest of a call right after it asks about it
   * @param history what it has reported before
   */
  AcpSession(
      String id,
      AcpCalls calls,
      SessionListener listener,
      boolean speaksBridge,
      boolean completesInput,
      SessionHistory history) {
    this.speaksBridge = speaksBridge;
    this.completesInput = completesInput;
    this.questions = new SessionQuestions(calls, listener, () -> phase().asks());
    this.history = history;
    this.late = new LateHistory(history.entries());
    this.id = id;
    this.calls = calls;
    this.listener = listener;
    Consumer<Runnable> later =
        action -> {
          var unused = calls.afterPause(Coalescer.PAUSE, action);
        };
    this.updates = new SessionUpdates(new Coalescer(this::report, later, System::nanoTime));
  }

  private void report(SessionUpdate update) {
    history.add(update);
    listener.update(update);
  }

  /** The agent's id of the session: to be kept, with the folder, to take it up again. */
  public String id() {
    return id;
  }

  /** Where the session stands. */
  public synchronized SessionPhase phase() {
    return phase;
  }

  /**
   * Waits until a session that was loaded has repeated its history: some agents go on with that
   * after they have answered, and what comes after the next prompt is separated from its turn's.
   */
  public void awaitHistory() throws InterruptedException {
    if (phase() == SessionPhase.LOADED) {
      late.awaitPause();
    }
  }

  /** How many updates were dropped because they repeated history. */
  public long dropped() {
    return late.dropped();
  }

  /** What it has reported so far, for whoever takes it up later. */
  public SessionHistory history() {
    return history;
  }

  /**
   * Begins a turn. The future completes after everything that the agent reported in the turn was
   * passed to the listener; exceptionally with {@link AcpException}. Actions that depend on it run
   * on the thread of the listener. A daemon that waits is sent a message of the user, which needs
   * text blocks.
   *
   * @param content content blocks, such as {@code {"type":"text","text":"…"}}
   */
  public CompletableFuture<PromptEnd> prompt(ArrayNode content) {
    boolean waits;
    CompletableFuture<PromptEnd> end;
    String text = PromptText.of(content);
    synchronized (this) {
      waits = phase == SessionPhase.WAITING;
      if (!move(Event.PROMPTED)) {
        return noTurn();
      }
      end = begin(waits);
      late.prompted(text);
      history.prompted(text);
    }
    if (waits) {
      return woken(end, "user_message", message(text, Delivery.WAIT_FOR_COMPLETION));
    }
    ObjectNode params = params();
    params.set("prompt", content);
    calls.send(
        "session/prompt",
        params,
        calls.timeouts().prompt(),
        (answer, failure) -> {
          if (!calls.inTurn(() -> turnEnded(end, answer, failure))) {
            lastTurn().completeExceptionally(calls.failure(failure));
          }
        });
    return end;
  }

  /**
   * Wakes a daemon that waits, without a message that a user would see. Otherwise as {@link
   * #prompt}.
   */
  public CompletableFuture<PromptEnd> wake() {
    CompletableFuture<PromptEnd> end;
    synchronized (this) {
      if (phase != SessionPhase.WAITING || !move(Event.PROMPTED)) {
        return noTurn();
      }
      end = begin(true);
    }
    return woken(end, "agent/resume", JsonNodeFactory.instance.objectNode());
  }

  private CompletableFuture<PromptEnd> noTurn() {
    return CompletableFuture.failedFuture(
        new AcpException(AcpException.Reason.PHASE, "No turn can begin: " + phase()));
  }

  private CompletableFuture<PromptEnd> woken(
      CompletableFuture<PromptEnd> end, String method, ObjectNode params) {
    try {
      calls.notify(method, params);
    } catch (AcpException e) {
      end.completeExceptionally(e);
    }
    return end;
  }

  /**
   * Sends a message of the user into the open turn, if the agent takes messages there.
   *
   * @return false if it does not, or no turn is open: nothing was sent
   * @throws AcpException if the agent can't be notified
   */
  public boolean say(String text, Delivery mode) throws AcpException {
    synchronized (this) {
      if (!speaksBridge || phase != SessionPhase.PROMPTING) {
        return false;
      }
      idles.said();
    }
    calls.notify("user_message", message(text, mode));
    return true;
  }

  /**
   * Returns whether something has arrived from the agent since the last message of {@link #say}, or
   * since the turn began. What the listener is passed may have arrived before.
   */
  public boolean hasReportedSinceMessage() {
    return idles.hasHeard();
  }

  private ObjectNode message(String text, Delivery mode) {
    return params().put("content", text).put("mode", mode.spelled());
  }

  /**
   * The agent says that it is idle, which is how a daemon ends a turn. By the connection's thread.
   *
   * @param iteration how often it has waited since it was last active; 0 if it does not say
   * @return whether that has ended the open turn
   */
  public boolean idle(long iteration) {
    boolean cancelled = phase() == SessionPhase.CANCELLING;
    if (!cancelled && (!questions.isEmpty() || !idles.idle(iteration))) {
      return false;
    }
    endUpdates();
    if (!move(Event.WAITS)) {
      return false;
    }
    lastTurn().complete(PromptEnd.idle(cancelled));
    return true;
  }

  /** With the lock. */
  private CompletableFuture<PromptEnd> begin(boolean woken) {
    idles.begin();
    isWoken = woken;
    turn = new CompletableFuture<>();
    return turn;
  }

  /**
   * Whether an answer to a prompt whose turn was ended by waiting says nothing of the turn that is
   * open now: the prompt was cancelled then, or nobody answered it at all.
   */
  private static boolean isOfEarlier(RawJson answer, Throwable failure) {
    return failure != null || PromptEnd.of(answer).reason() == PromptEnd.Reason.CANCELLED;
  }

  /** By the connection's thread. */
  private void turnEnded(CompletableFuture<PromptEnd> own, RawJson answer, Throwable failure) {
    if (own.isDone() && isOfEarlier(answer, failure)) {
      return;
    }
    CompletableFuture<PromptEnd> end = lastTurn(); // A later one, if the first ended by waiting.
    try {
      endUpdates();
      questions.cancel();
    } finally {
      if (failure == null) {
        move(Event.TURN_ENDED);
        end.complete(PromptEnd.of(answer));
      } else if (failure instanceof AnsweredError) {
        move(Event.TURN_ENDED);
        end.completeExceptionally(calls.failure(failure));
      } else {
        close("A turn got no answer: " + failure.getMessage(), failure);
      }
    }
  }

  /**
   * Asks the agent to end the open turn. Open questions are answered so; those that come before the
   * turn has ended too. The future of the prompt completes when the turn ends.
   *
   * @return whether there was a turn to cancel
   * @throws AcpException if the agent can't be notified
   */
  public boolean cancel() throws AcpException {
    if (!move(Event.CANCELLED)) {
      return false;
    }
    questions.cancel();
    calls.notify("session/cancel", params());
    if (isWoken) {
      calls.notify("cancel", params()); // No prompt of ACP is open that the other one would end.
    }
    return true;
  }

  /**
   * Answers the open question, as it was told; the next one may follow.
   *
   * @return false if the question is not open any more, or its action has changed meanwhile, and
   *     nothing was answered
   * @throws IllegalArgumentException if the reply does not fit to the question
   */
  public boolean answer(Question question, Reply reply) {
    return questions.answer(question, reply);
  }

  /** Changes the mode; waits for the answer. */
  public void setMode(String modeId) throws AcpException, InterruptedException {
    calls.ask("session/set_mode", params().put("modeId", modeId), calls.timeouts().setting());
  }

  /**
   * Sets an option to one of its values; waits for the answer.
   *
   * @return all options, as they are now
   */
  public RawJson setOption(String optionId, String value)
      throws AcpException, InterruptedException {
    return options(params().put("configId", optionId).put("value", value));
  }

  /** Sets an option that is on or off; otherwise as {@link #setOption(String, String)}. */
  public RawJson setOption(String optionId, boolean value)
      throws AcpException, InterruptedException {
    return options(params().put("configId", optionId).put("type", "boolean").put("value", value));
  }

  private RawJson options(ObjectNode params) throws AcpException, InterruptedException {
    RawJson answer = calls.ask("session/set_config_option", params, calls.timeouts().setting());
    return Members.of(answer).raw("configOptions");
  }

  private ObjectNode params() {
    return JsonNodeFactory.instance.objectNode().put("sessionId", id);
  }

  void opened(boolean replayed) {
    if (!replayed) {
      late.end();
    }
    move(replayed ? Event.REPLAYED : Event.OPENED);
  }

  /** By the connection's thread. */
  void update(RawJson update) {
    if (phase().replays() && SessionUpdates.isHistory(update)) {
      late.replayed(update);
    } else {
      take(late.take(update));
    }
  }

  /** What is new. */
  private void take(List<RawJson> fresh) {
    for (RawJson update : fresh) {
      idles.heard();
      updates.take(update).ifPresent(questions::said);
    }
  }

  private void endUpdates() {
    take(late.end());
    updates.endOfTurn();
    history.pause();
  }

  /** By the connection's thread. */
  void asked(IncomingRequest request) {
    take(late.end());
    updates.flush();
    Optional<Question> question = updates.question(request);
    if (question.isEmpty()) {
      QuestionRequests.refuse(request);
    } else if (!phase().asks()) {
      request.respond(Reply.resultOf(question.get(), new Reply.Cancelled()));
    } else {
      boolean isUnfinished = updates.isOnlyAnnounced(question.get().toolCallId());
      questions.ask(question.get(), request, completesInput && isUnfinished);
    }
  }

  /**
   * Returns whether a question waits for its answer, as the listener was told it: it was neither
   * answered nor withdrawn, and its action has not changed since.
   */
  public boolean isOpen(Question question) {
    return questions.isOpen(question);
  }

  /** By the connection's thread. */
  void withdrawn(RawJson requestId) {
    questions.withdraw(requestId);
  }

  /**
   * By the connection's thread; the first call counts. A session that never opened ends silently.
   */
  void close(String why, Throwable cause) {
    boolean wasOpen = phase() != SessionPhase.OPENING;
    try {
      if (move(Event.ENDED) && wasOpen) {
        endUpdates();
        questions.close();
        listener.closed(why);
      }
    } finally {
      lastTurn().completeExceptionally(calls.failure(cause));
    }
  }

  private synchronized CompletableFuture<PromptEnd> lastTurn() {
    return turn;
  }

  private synchronized boolean move(Event event) {
    Optional<SessionPhase> next = phase.after(event);
    next.ifPresent(found -> phase = found);
    return next.isPresent();
  }
}

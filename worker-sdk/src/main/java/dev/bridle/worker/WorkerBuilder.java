package dev.bridle.worker;

import dev.bridle.worker.v1.WorkerBinding;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Builds a {@link Worker}. The handler is required; all other settings have defaults. */
public final class WorkerBuilder {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Duration MAX_REPORT_DELAY = Duration.ofSeconds(5);

  private final Channel channel;
  private Optional<String> token = Optional.empty();
  private Optional<TaskHandler> handler = Optional.empty();
  private Optional<HandlerFacts> handlerFacts = Optional.empty();
  private String agentId = "";
  private List<WorkerBinding> bindings = List.of(WorkerBinding.getDefaultInstance());
  private boolean registers = true;
  private int slots = 8;
  private Duration closeGrace = Duration.ofSeconds(10);
  private Duration stopTime = Duration.ofSeconds(2);
  private Duration reportDelay = Duration.ofMillis(50);
  private boolean worksWhileParked;
  private boolean takesMessages;
  private boolean onePerSession;
  private boolean replays;

  WorkerBuilder(Channel channel) {
    this.channel = channel;
  }

  /**
   * Sets the API key or token of all calls, which needs the scope `workers:lease`. It is never
   * logged.
   */
  public WorkerBuilder credentials(String bearerToken) {
    token = Optional.of(bearerToken);
    return this;
  }

  /**
   * Sets the agent's id, shared by all its processes: a letter or digit, then up to 63 of letters,
   * digits, `.`, `_`, `-`. Without one, the worker takes tasks that no worker is bound to.
   */
  public WorkerBuilder agentId(String newAgentId) {
    agentId = newAgentId;
    return this;
  }

  /** Sets the agent's bindings, registered at each start; any task of the tenant by default. */
  public WorkerBuilder bindings(List<WorkerBinding> newBindings) {
    bindings = List.copyOf(newBindings);
    return this;
  }

  /**
   * Leaves the agent's registration as it is: the worker takes the tasks that are bound to its
   * agent, and binds none. For an agent that is registered elsewhere.
   */
  public WorkerBuilder withoutRegistration() {
    registers = false;
    return this;
  }

  /** Sets the maximum number of concurrent handlers, 1 to 1000; 8 by default. */
  public WorkerBuilder slots(int newSlots) {
    if (newSlots < 1 || newSlots > 1000) {
      throw new IllegalArgumentException("slots is " + newSlots + ", expected 1 to 1000");
    }
    slots = newSlots;
    return this;
  }

  /** Sets how long closing waits for running handlers; 10 s by default. */
  public WorkerBuilder closeGrace(Duration newCloseGrace) {
    closeGrace = newCloseGrace;
    return this;
  }

  /**
   * Sets the time that a handler has to stop after closing, 2 s by default. A task whose handler
   * takes longer returns to the queue only when its lease expires.
   */
  public WorkerBuilder stopTime(Duration newStopTime) {
    stopTime = newStopTime;
    return this;
  }

  /**
   * Sets how long progress, events and usage wait at most for a call that carries them, 0 to 5 s;
   * 50 ms by default, so that users see them at once. With 0, each of them is a call of its own,
   * and durable when its method returns.
   */
  public WorkerBuilder reportDelay(Duration newReportDelay) {
    if (newReportDelay.isNegative() || newReportDelay.compareTo(MAX_REPORT_DELAY) > 0) {
      throw new IllegalArgumentException(
          "reportDelay is " + newReportDelay + ", expected 0 to " + MAX_REPORT_DELAY);
    }
    reportDelay = newReportDelay;
    return this;
  }

  /**
   * Declares that what a handler has started goes on while the handler is parked, as an agent does
   * that runs one action while it asks about another: other threads of it may report meanwhile, and
   * a cancellation, which interrupts the handler, waits for its end and takes its reports until
   * then. Without effect on a core that does not support this.
   */
  public WorkerBuilder worksWhileParked() {
    worksWhileParked = true;
    return this;
  }

  /**
   * Declares that the handler takes messages that users send to tasks while it works on them, by
   * {@link TaskContext#nextMessage()}. Without it, such messages are refused.
   */
  public WorkerBuilder takesMessages() {
    takesMessages = true;
    return this;
  }

  boolean doesTakeMessages() {
    return takesMessages;
  }

  /**
   * Declares that the agent works on one task of a session at a time: further ones wait in the
   * queue until it has ended, also while it waits for an answer. Without effect on a core that does
   * not support this.
   */
  public WorkerBuilder oneTaskPerSession() {
    onePerSession = true;
    return this;
  }

  /**
   * Lets the worker run replays of the agent's tasks instead of tasks: the handler is answered from
   * what it has recorded, and has to do the same again. Nothing is computed in a step, and nothing
   * is reported; what the handler does outside of steps, it does again. For the same agent id and
   * the same version of the handler as the worker that takes the tasks, and beside it. Registers
   * nothing. Needs the handler's declaration that it records all that decides on its runs ({@link
   * HandlerFacts}); tasks of other handlers can't be executed again.
   */
  public WorkerBuilder replays() {
    replays = true;
    registers = false;
    return this;
  }

  boolean doesReplay() {
    return replays;
  }

  boolean isOneTaskPerSession() {
    return onePerSession;
  }

  boolean doesWorkWhileParked() {
    return worksWhileParked;
  }

  /** Sets the handler of tasks. */
  public WorkerBuilder handler(TaskHandler newHandler) {
    handler = Optional.of(newHandler);
    return this;
  }

  /** Declares facts about the handler, which the receipts of its tasks name; none by default. */
  public WorkerBuilder handlerFacts(HandlerFacts facts) {
    handlerFacts = Optional.of(facts);
    return this;
  }

  /** Returns the worker, which is not started. */
  public Worker build() {
    if (handler.isEmpty()) {
      throw new IllegalStateException("handler is not set, expected a TaskHandler");
    }
    return new Worker(this, authorized(), "w-" + UUID.randomUUID());
  }

  private Channel authorized() {
    if (token.isEmpty()) {
      return channel;
    }
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + token.get());
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  Channel channel() {
    return channel;
  }

  String agentId() {
    return agentId;
  }

  boolean doesRegister() {
    return registers && !agentId.isEmpty();
  }

  List<WorkerBinding> bindings() {
    return bindings;
  }

  Optional<HandlerFacts> handlerFacts() {
    return handlerFacts;
  }

  int slots() {
    return slots;
  }

  Duration closeGrace() {
    return closeGrace;
  }

  Duration stopTime() {
    return stopTime;
  }

  Duration reportDelay() {
    return reportDelay;
  }

  TaskHandler handler() {
    return handler.orElseThrow();
  }
}

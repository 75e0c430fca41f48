package dev.bridle.core.api.event;

import dev.bridle.core.kernel.auth.CallCredential;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.coalesce.BoundedExecutor;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventReader;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.WakeKeys;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The open event streams of this process, and the tails that feed them. */
public final class EventStreams {
  private static final Duration TICK = Duration.ofSeconds(1);

  /** How many streams of a tenant read their history at once, so that others are read, too. */
  private static final int HISTORIES_AT_ONCE = 8;

  private static final long READ_AHEAD_BYTES = 32L << 20;

  private final CoreContext context;
  private final TaskStore tasks;
  private final WakeKeys wakes;
  private final Duration stallTimeout;
  private final StreamSlots slots;
  private final CredentialWatch credentials;
  private final Map<String, EventTail> tails = new ConcurrentHashMap<>();
  private final Map<String, Executor> histories = new ConcurrentHashMap<>();
  private final Map<EventSubscription, CredentialWatch.Watched> open = new ConcurrentHashMap<>();
  private final ReadAhead readAhead;
  private final AtomicLong cutOff = new AtomicLong();

  public EventStreams(
      CoreContext context, Duration stallTimeout, StreamSlots slots, CredentialWatch credentials) {
    this(
        context,
        stallTimeout,
        slots,
        credentials,
        new ReadAhead(READ_AHEAD_BYTES, READ_AHEAD_BYTES / 2));
  }

  EventStreams(
      CoreContext context,
      Duration stallTimeout,
      StreamSlots slots,
      CredentialWatch credentials,
      ReadAhead readAhead) {
    this.readAhead = readAhead;
    this.context = context;
    this.tasks = new TaskStore(context.layout());
    this.wakes = new WakeKeys(context.layout());
    this.stallTimeout = stallTimeout;
    this.slots = slots;
    this.credentials = credentials;
  }

  /** Starts checking open streams for stalled readers on {@code timer}. */
  public void start(ScheduledExecutorService timer) {
    Periodic.every(timer, TICK, "Looking after event streams", this::tick);
  }

  /** Returns how many streams were closed because their readers stalled. */
  public long cutOff() {
    return cutOff.get();
  }

  /** Returns how many streams are open. */
  public int open() {
    return open.size();
  }

  /**
   * Opens a stream for the current caller; {@code rate_limited} before anything is read if its
   * tenant has too many, or opens them too often.
   *
   * @param scoped reads what it is of
   */
  void open(
      Supplier<EventScope> scoped,
      Optional<EventId> after,
      ServerCallStreamObserver<EventFrame> observer) {
    String tenant = Caller.current().tenant();
    slots.acquire(tenant);
    EventSubscription subscription;
    try {
      subscription = subscription(scoped.get(), after, observer);
    } catch (RuntimeException | Error e) {
      slots.release(tenant);
      throw e;
    }
    subscription.follow();
    open.put(subscription, credentials.watch(CallCredential.current(), subscription::refuse));
    if (subscription.isDone()) {
      closed(subscription); // It was refused before it was in the list.
    }
    subscription.start();
  }

  private EventSubscription subscription(
      EventScope scope, Optional<EventId> after, ServerCallStreamObserver<EventFrame> observer) {
    EventTail tail =
        tails.computeIfAbsent(
            scope.tenant(),
            tenant ->
                new EventTail(
                    context.store(),
                    context.log(),
                    new EventReader(context.log()),
                    wakes,
                    tenant,
                    context.environment().background(),
                    () -> end(tenant)));
    return new EventSubscription(context, tasks, tail, scope, after, observer, this);
  }

  /** Returns where the streams of a tenant read what is there when they are opened. */
  Executor histories(String tenant) {
    return histories.computeIfAbsent(
        tenant, name -> new BoundedExecutor(context.environment().background(), HISTORIES_AT_ONCE));
  }

  /** Returns the room of events that wait for readers. */
  ReadAhead readAhead() {
    return readAhead;
  }

  void closed(EventSubscription subscription) {
    Optional.ofNullable(open.remove(subscription))
        .ifPresent(
            watched -> {
              watched.close();
              slots.release(subscription.tenant());
            });
  }

  private void tick() {
    tails.values().forEach(EventTail::poke);
    open.keySet()
        .forEach(
            subscription -> {
              if (subscription.cutOffIfStalled(stallTimeout)) {
                cutOff.incrementAndGet();
              }
            });
  }

  /** Ends every stream. Clients reconnect with their last cursor. */
  public void close() {
    open.keySet().forEach(EventSubscription::end);
  }

  /** Ends the streams of a deleted tenant. */
  private void end(String tenant) {
    open.keySet().stream()
        .filter(subscription -> subscription.isOf(tenant))
        .forEach(EventSubscription::end);
  }

  EventReader reader() {
    return new EventReader(context.log());
  }
}

package dev.bridle.core.api.event;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.LoadedEvent;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.HistoryEnd;
import dev.bridle.event.v1.StreamError;
import dev.bridle.storage.layer.EventId;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open event stream. Reads history from the log at the reader's pace, joins the tail at the end
 * of the log, and falls back to the log when the reader is slower than the tail. Memory is bounded
 * to a page and a queue, however slow the reader is, and all of those whose readers accept nothing
 * are counted together. The stream of a reader that accepts nothing for too long is closed.
 */
final class EventSubscription implements Subscriber, SubscriptionRuns.Rounds {
  private static final Logger log = LoggerFactory.getLogger(EventSubscription.class);
  private static final int MAX_PENDING = 256;
  private static final long MAX_PENDING_BYTES = 2L << 20;

  private final EventHistory history;
  private final EventTail tail;
  private final EventScope scope;
  private final Set<Integer> partitions;
  private final ServerCallStreamObserver<EventFrame> observer;
  private final SubscriptionRuns runs;
  private final EventStreams streams;

  private final Deque<LoadedEvent> pending = new ArrayDeque<>();
  private long pendingBytes;
  // How much of that is counted, while the reader accepts nothing.
  private long counted;
  private boolean live;
  private boolean done;
  private long blockedSinceNanos;
  private volatile boolean blocked;

  private volatile Optional<Runnable> ending = Optional.empty();

  private volatile boolean historyEndSent;

  // Accessed by rounds alone, which never run concurrently.
  // Where the tail is joined once the events of the last page are sent.
  private Optional<EventId> readToEnd = Optional.empty();

  EventSubscription(
      CoreContext context,
      TaskStore tasks,
      EventTail tail,
      EventScope scope,
      Optional<EventId> after,
      ServerCallStreamObserver<EventFrame> observer,
      EventStreams streams) {
    this.history = new EventHistory(context, tasks, scope, after);
    this.tail = tail;
    this.scope = scope;
    this.partitions = scope.partitions(context.log());
    this.observer = observer;
    this.streams = streams;
    Executor live = context.environment().background();
    Executor histories = streams.histories(scope.tenant());
    this.runs = new SubscriptionRuns(run -> (historyEndSent ? live : histories).execute(run), this);
  }

  /**
   * Follows what it needs. To be called before anything may end it, since its end releases that.
   */
  void follow() {
    tail.need(partitions);
  }

  void start() {
    observer.setOnReadyHandler(this::ready);
    observer.setOnCancelHandler(this::finish);
    poke();
  }

  /** A reader that nothing waits for needs no run when it becomes ready. */
  private void ready() {
    if (blocked) {
      poke();
    }
  }

  @Override
  public EventScope scope() {
    return scope;
  }

  @Override
  public synchronized Offered offer(LoadedEvent event) {
    if (done || !live || !scope.holds(event)) {
      return Offered.HELD;
    }
    if (pending.size() >= MAX_PENDING
        || pendingBytes + event.bytes() > MAX_PENDING_BYTES
        || (blocked && !count(event.bytes()))) {
      live = false; // Events that do not fit are read from the log later.
      return Offered.FULL;
    }
    pending.add(event);
    pendingBytes += event.bytes();
    // Whoever sends the first pending event sends the others too, or waits for the reader.
    return pending.size() == 1 ? Offered.PENDING : Offered.HELD;
  }

  @Override
  public boolean request() {
    return runs.request();
  }

  @Override
  public void run() {
    runs.runShared();
  }

  private void poke() {
    runs.schedule();
  }

  @Override
  public Next send() {
    if (ending.isPresent()) {
      ending().ifPresent(Runnable::run);
      return Next.REST;
    }
    boolean ready = observer.isReady();
    Optional<LoadedEvent> next;
    boolean last;
    boolean dropped = false;
    synchronized (this) {
      if (done || (live && pending.isEmpty())) {
        return Next.REST;
      }
      if (ready) {
        blocked = false;
        uncount();
      } else if (!blocked) {
        blocked = true;
        blockedSinceNanos = System.nanoTime();
        dropped = !count(pendingBytes);
        if (dropped) {
          live = false;
          pending.clear();
          pendingBytes = 0;
        }
      }
      next = ready ? take() : Optional.empty();
      last = live && pending.isEmpty();
    }
    if (dropped) {
      readToEnd = Optional.empty();
      history.rewind();
      tail.leave(this);
    }
    if (!ready) {
      // It may have become ready before it was marked as blocked, when nobody poked.
      return observer.isReady() ? Next.SEND : Next.REST;
    }
    if (next.isEmpty()) {
      return Next.READ;
    }
    send(next.get());
    return last ? Next.REST : Next.SEND;
  }

  private void send(LoadedEvent event) {
    observer.onNext(event.frame());
    history.passed(event);
    if (scope.task().isPresent() && event.record().getTerminal()) {
      complete();
    }
  }

  /** Reads the next page of the log, or joins the tail at its end. */
  @Override
  public Next read() {
    if (readToEnd.isPresent()) {
      EventId end = readToEnd.get();
      readToEnd = Optional.empty();
      return join(end);
    }
    EventHistory.Page page = history.next();
    if (page.expired()) {
      expire();
      return Next.REST;
    }
    if (!page.events().isEmpty() || !page.exhausted()) {
      queue(page.events());
      readToEnd = page.exhausted() ? Optional.of(page.scannedTo()) : Optional.empty();
      return Next.SEND;
    }
    if (page.ended()) {
      complete();
      return Next.REST;
    }
    return join(page.scannedTo());
  }

  private Next join(EventId readUpTo) {
    history.allSent();
    synchronized (this) {
      live = true; // Set before joining, since joining may offer events at once.
    }
    if (!tail.join(this, partitions, readUpTo, this::poke)) {
      synchronized (this) {
        live = false;
      }
      return Next.REST;
    }
    if (isDone()) {
      tail.leave(this); // It may have finished, and left, right before it joined.
      return Next.REST;
    }
    if (!historyEndSent) {
      historyEndSent = true;
      observer.onNext(
          EventFrame.newBuilder().setHistoryEnd(HistoryEnd.getDefaultInstance()).build());
    }
    return Next.SEND;
  }

  private void expire() {
    StreamError.Builder error =
        StreamError.newBuilder().setError(ErrorMapper.detail(EventCursors.refused(), ""));
    history.oldest().ifPresent(oldest -> error.setLastEventId(oldest.toString()));
    observer.onNext(EventFrame.newBuilder().setError(error).build());
    complete();
  }

  private synchronized void queue(List<LoadedEvent> events) {
    for (LoadedEvent event : events) {
      pending.add(event);
      pendingBytes += event.bytes();
    }
  }

  synchronized boolean isDone() {
    return done;
  }

  /** Counts pending bytes. Returns false if they have no room. Guarded by this. */
  private boolean count(long bytes) {
    if (!streams.readAhead().take(scope.tenant(), bytes)) {
      return false;
    }
    counted += bytes;
    return true;
  }

  private void uncount() {
    if (counted > 0) {
      streams.readAhead().release(scope.tenant(), counted);
      counted = 0;
    }
  }

  private Optional<LoadedEvent> take() {
    Optional<LoadedEvent> next = Optional.ofNullable(pending.poll());
    next.ifPresent(event -> pendingBytes -= event.bytes());
    return next;
  }

  /**
   * Ends the stream if the reader has accepted nothing for {@code timeout} while events were
   * pending.
   */
  boolean cutOffIfStalled(Duration timeout) {
    synchronized (this) {
      boolean stalled =
          !done && blocked && System.nanoTime() - blockedSinceNanos > timeout.toNanos();
      if (!stalled) {
        return false;
      }
    }
    log.warn(
        "A reader of events of tenant {} stalled for {}; its stream was closed.",
        scope.tenant(),
        timeout);
    requestEnd(
        () ->
            fail(
                ProtocolException.of(
                    ErrorCode.ERROR_CODE_RATE_LIMITED,
                    "The stream was not read for too long; reconnect with the last cursor.")));
    return true;
  }

  String tenant() {
    return scope.tenant();
  }

  boolean isOf(String tenant) {
    return scope.tenant().equals(tenant);
  }

  /** Ends the stream with an error, even if its reader has stalled. */
  void refuse(ProtocolException why) {
    requestEnd(() -> fail(why));
  }

  /** Ends the stream from the server's side. */
  void end() {
    requestEnd(this::complete);
  }

  /** Has the writing thread end the stream, since only one thread may write to it. */
  private void requestEnd(Runnable how) {
    synchronized (this) {
      ending = Optional.of(how);
    }
    poke();
  }

  private synchronized Optional<Runnable> ending() {
    Optional<Runnable> asked = done ? Optional.empty() : ending;
    ending = Optional.empty();
    return asked;
  }

  private void complete() {
    if (finish()) {
      observer.onCompleted();
    }
  }

  @Override
  public void fail(RuntimeException failure) {
    if (finish()) {
      observer.onError(ErrorMapper.status(ErrorMapper.detail(failure, "stream")));
    }
  }

  private boolean finish() {
    synchronized (this) {
      if (done) {
        return false;
      }
      done = true;
      live = false;
      pending.clear();
      uncount();
    }
    tail.leave(this);
    tail.release(partitions);
    streams.closed(this);
    return true;
  }
}

package dev.bridle.core.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.context.CoreEnvironment;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventReader;
import dev.bridle.core.kernel.event.LoadedEvent;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.Operation;
import dev.bridle.storage.kit.fault.OperationKind;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.WakeKeys;
import dev.bridle.task.v1.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What live events cost, counted: subscribers that are woken, runs, and jobs of the executor. */
final class LiveEventsTest {
  private static final String TENANT = CoreFixture.TENANT;
  private static final Caller ADA = new Caller(TENANT, "ada", Set.of("*"), Set.of(), false);

  @RegisterExtension final CoreFixture fixture = new CoreFixture();
  private final Jobs jobs = new Jobs();
  private CoreContext context;
  private EventTail tail;
  private EventStreams streams;
  private int number;

  /** A subscriber that keeps what it is offered, and is never busy. */
  private static final class Counting implements Subscriber {
    private final EventScope scope;
    private final List<Long> offered = new ArrayList<>();
    private int runs;

    Counting(EventScope scope) {
      this.scope = scope;
    }

    @Override
    public EventScope scope() {
      return scope;
    }

    @Override
    public Offered offer(LoadedEvent event) {
      offered.add(event.record().getSequence());
      return Offered.PENDING;
    }

    @Override
    public boolean request() {
      return true;
    }

    @Override
    public void run() {
      runs++;
    }
  }

  @BeforeEach
  void start() {
    context = fixture.context();
    tail = tail(context.store());
    streams =
        new EventStreams(
            context,
            Duration.ofSeconds(30),
            new StreamSlots(10, 10, System::nanoTime),
            new CredentialWatch(Duration.ofSeconds(1), jobs));
    follow();
  }

  private EventTail tail(KeyValueStore store) {
    return new EventTail(
        store,
        context.log(),
        new EventReader(context.log()),
        new WakeKeys(context.layout()),
        TENANT,
        jobs,
        () -> {});
  }

  /** Has the tail follow all partitions. */
  private void follow() {
    tail.need(tenant().partitions(context.log()));
    jobs.run();
  }

  @Test
  void anEventWakesOnlyTheSubscribersOfItsSessionItsTaskAndItsTenant() throws InterruptedException {
    Counting ofSession = join(session("one"));
    Counting ofTask = join(task("one", "t1"));
    Counting ofAll = join(tenant());
    List<Counting> others = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      others.add(join(session("other-" + i)));
      others.add(join(task("one", "other-" + i)));
    }

    append("one", "t1");
    deliver();

    assertThat(List.of(ofSession.runs, ofTask.runs, ofAll.runs)).containsOnly(1);
    assertThat(others).allSatisfy(other -> assertThat(other.offered).isEmpty());
  }

  @Test
  void subscribersOfOneSessionAreRunTogetherInFewJobs() throws InterruptedException {
    List<Counting> readers = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      readers.add(join(session("one")));
    }

    append("one", "");
    int ran = deliver();

    assertThat(readers).allSatisfy(reader -> assertThat(reader.runs).isEqualTo(1));
    assertThat(ran).isLessThan(256 / 32);
  }

  @Test
  void subscribersAreRunEvenWhereNoThreadCanBeHad() throws InterruptedException {
    Counting reader = join(session("one"));
    append("one", "");
    tail.poke();

    Runnable poll = jobs.next();
    jobs.refuse(true);
    poll.run();

    assertThat(reader.runs).isEqualTo(1);
  }

  @Test
  void aReaderWaitsForTheNextPollIfNoThreadLetsItJoin() throws InterruptedException {
    EventTail other = tail(context.store());
    int[] tries = {0};
    Set<Integer> partitions = tenant().partitions(context.log());
    other.need(partitions);
    EventId start = EventId.lastOf(0, 0);
    boolean joined =
        other.join(
            new Counting(session("one")),
            partitions,
            start,
            () -> {
              if (tries[0]++ == 0) {
                throw new RejectedExecutionException("no thread");
              }
            });
    assertThat(joined).isFalse();
    for (int polls = 0; polls < 3; polls++) {
      other.poke();
      assertThat(jobs.awaitAndRun()).isPositive();
    }
    assertThat(tries[0]).isEqualTo(2);
  }

  @Test
  void aSubscriberThatHasEventsPendingIsNotWokenForMore() {
    Reader reader = new Reader();
    EventSubscription subscription = open(session("one"), reader);
    subscription.start();
    jobs.run();

    append("one", "");
    append("one", "");
    List<LoadedEvent> events = stored("one");

    assertThat(subscription.offer(events.get(0))).isEqualTo(Subscriber.Offered.PENDING);
    assertThat(subscription.request()).isTrue();
    assertThat(subscription.offer(events.get(1))).isEqualTo(Subscriber.Offered.HELD);
    assertThat(subscription.request()).isFalse();
    subscription.run();
    assertThat(reader.sequences()).containsExactly(0L, 1L);
  }

  @Test
  void aReaderThatIsReadyAgainIsRunOnlyIfSomethingWaitsForIt() throws InterruptedException {
    Reader reader = new Reader();
    open(session("one"), reader).start();
    jobs.run();

    reader.becomeReady();
    assertThat(jobs.run()).isZero();

    reader.ready = false;
    append("one", "");
    deliver();
    assertThat(reader.sequences()).isEmpty();
    reader.becomeReady();
    assertThat(jobs.run()).isPositive();
    assertThat(reader.sequences()).containsExactly(0L);
  }

  @Test
  void readersOfAnEventGetTheSameFrame() throws InterruptedException {
    Reader one = new Reader();
    Reader another = new Reader();
    open(session("one"), one).start();
    open(tenant(), another).start();
    jobs.run();

    append("one", "");
    deliver();

    assertThat(one.events()).hasSize(1);
    assertThat(one.events().get(0)).isSameAs(another.events().get(0));
  }

  @Test
  void aReaderThatFallsBehindGetsEachEventOnceAndInOrder() throws InterruptedException {
    Reader slow = new Reader();
    open(session("one"), slow).start();
    jobs.run();
    slow.ready = false;
    for (int i = 0; i < 400; i++) {
      append("one", "");
    }
    deliver();
    assertThat(slow.sequences()).isEmpty();

    slow.becomeReady();
    for (int i = 0; i < 3; i++) {
      append("one", "");
      deliver();
    }

    List<Long> all = new ArrayList<>();
    for (long i = 0; i < 403; i++) {
      all.add(i);
    }
    assertThat(slow.sequences()).isEqualTo(all);
  }

  @Test
  void aSharedRunLeavesReadsOfTheLogToAJobOfItsOwn() throws InterruptedException {
    Reader slow = new Reader();
    EventSubscription subscription = open(session("one"), slow);
    subscription.start();
    jobs.run();
    slow.ready = false;
    for (int i = 0; i < 400; i++) {
      append("one", "");
    }
    deliver();

    slow.ready = true;
    assertThat(subscription.request()).isTrue();
    subscription.run();

    assertThat(slow.sequences()).hasSize(256);
    assertThat(jobs.run()).isPositive();
    assertThat(slow.sequences()).hasSize(400);
  }

  @Test
  void onlyAReaderThatTakesNothingOfWhatWaitsForItIsCutOff() throws InterruptedException {
    Reader stalled = new Reader();
    Reader idle = new Reader();
    EventSubscription waiting = open(session("one"), stalled);
    EventSubscription empty = open(session("two"), idle);
    List.of(waiting, empty).forEach(EventSubscription::start);
    jobs.run();
    stalled.ready = false;
    idle.ready = false;
    append("one", "");
    deliver();

    assertThat(waiting.cutOffIfStalled(Duration.ofSeconds(30))).isFalse();
    assertThat(waiting.cutOffIfStalled(Duration.ZERO)).isTrue();
    assertThat(empty.cutOffIfStalled(Duration.ZERO)).isFalse();
    jobs.run();

    assertThat(stalled.failure).isPresent();
    assertThat(idle.failure).isEmpty();
  }

  @Test
  void aStreamThatIsRefusedBeforeItStartsTakesNoEventsFromAnother() throws InterruptedException {
    tail.release(tenant().partitions(context.log())); // What every test follows.
    Reader reader = new Reader();
    open(session("one"), reader).start();
    jobs.run();
    EventSubscription other = open(session("one"), new Reader());

    append("one", "");
    other.refuse(ProtocolException.of(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "revoked"));
    jobs.run();
    deliver();

    assertThat(reader.sequences()).containsExactly(0L);
  }

  @Test
  void aReaderThatLeavesInMidPollLeavesNoPositionToTheNext() {
    List<Operation> operations = new ArrayList<>();
    Set<Integer> partitions = tenant().partitions(context.log());
    List<EventTail> self = new ArrayList<>();
    FaultPlan leaving =
        operation -> {
          if (operations.isEmpty()) {
            self.get(0).release(partitions);
          }
          operations.add(operation);
          return Fault.NONE;
        };
    self.add(tail(new FaultyStore(context.store(), leaving)));
    self.get(0).need(partitions);
    jobs.run();
    for (int i = 0; i < 200; i++) {
      append("one", "");
    }

    operations.clear();
    operations.add(new Operation(0, OperationKind.BEGIN, false, "")); // Nobody leaves any more.
    self.get(0).need(partitions);
    jobs.run();

    assertThat(operations).hasSizeLessThan(100);
  }

  @Test
  void aStoreThatFailsLongPollsIsReadInShorterOnes() throws InterruptedException {
    List<Operation> reads = new ArrayList<>();
    FaultPlan impatient =
        operation -> {
          if (operation.kind() == OperationKind.BEGIN) {
            reads.clear();
          } else if (operation.kind().reads()) {
            reads.add(operation);
          }
          return reads.size() == 100 ? Fault.TOO_OLD : Fault.NONE;
        };
    tail = tail(new FaultyStore(context.store(), impatient));
    follow();
    Counting reader = join(session("one"));
    for (int i = 0; i < 300; i++) {
      append("one", "");
    }

    for (int polls = 0; polls < 8; polls++) {
      deliver();
    }

    assertThat(reader.offered).hasSize(300);
  }

  private Counting join(EventScope scope) {
    Counting subscriber = new Counting(scope);
    EventId readUpTo =
        context.store().read(tr -> EventId.lastOf(context.log().era(tr, TENANT), tr.readVersion()));
    assertThat(
            tail.join(
                subscriber,
                scope.partitions(context.log()),
                readUpTo,
                () -> {
                  throw new AssertionError("the tail follows all partitions");
                }))
        .isTrue();
    return subscriber;
  }

  private EventSubscription open(EventScope scope, Reader reader) {
    EventSubscription subscription =
        new EventSubscription(
            inBackground(),
            new TaskStore(context.layout()),
            tail,
            scope,
            Optional.empty(),
            reader,
            streams);
    subscription.follow();
    return subscription;
  }

  /** Returns the context with these jobs as its background. */
  private CoreContext inBackground() {
    return new CoreContext(
        context.store(),
        context.layout(),
        context.log(),
        context.commands(),
        context.events(),
        context.pages(),
        context.due(),
        context.configurations(),
        context.mint(),
        context.installation(),
        context.seals(),
        context.settings(),
        CoreEnvironment.real(context.clock(), jobs, true));
  }

  /** Has the tail poll, and runs all jobs that follow. Returns how many there were. */
  private int deliver() throws InterruptedException {
    tail.poke(); // Nothing more is asked for if the watch of an event has come first.
    return jobs.awaitAndRun();
  }

  private void append(String session, String task) {
    byte[] record =
        EventRecord.newBuilder()
            .setEvent("vendor.bridle.test")
            .setResourceObject("session")
            .setResourceId(session)
            .setSequence(number++)
            .setSessionId(session)
            .setTaskId(task)
            .setWorkspaceId(CoreFixture.WORKSPACE)
            .setPayload(ByteString.copyFromUtf8("{}"))
            .build()
            .toByteArray();
    context
        .store()
        .transact(
            tr -> {
              var appender = context.log().appender(tr, TENANT);
              appender.append(session, record);
              appender.finish();
              return true;
            });
  }

  private List<LoadedEvent> stored(String session) {
    return context
        .store()
        .read(
            tr ->
                new EventReader(context.log())
                    .ofSession(tr, TENANT, session, Optional.empty(), 10)
                    .events());
  }

  private static EventScope tenant() {
    return new EventScope(ADA, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static EventScope session(String id) {
    return new EventScope(ADA, Optional.empty(), Optional.of(id), Optional.empty());
  }

  private static EventScope task(String session, String id) {
    TaskRecord task =
        TaskRecord.newBuilder().setTask(Task.newBuilder().setId(id).setSessionId(session)).build();
    return new EventScope(ADA, Optional.of(task), Optional.of(session), Optional.empty());
  }
}

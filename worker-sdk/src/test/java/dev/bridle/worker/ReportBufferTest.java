package dev.bridle.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.task.v1.Task;
import dev.bridle.worker.ReportBuffer.OnRefusal;
import dev.bridle.worker.v1.ProgressReport;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How reports wait, and how they are sent, carried and rejected. */
final class ReportBufferTest {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final Duration SOON = Duration.ofMillis(10);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final List<List<String>> sent = new ArrayList<>();
  private final Set<String> rejected = new HashSet<>();
  private final LeaseHold hold =
      new LeaseHold(
          TaskLease.newBuilder().setTask(Task.newBuilder().setId("task_1")).setFence(1).build(),
          System.nanoTime());
  private ErrorCode failure = ErrorCode.ERROR_CODE_SERVICE_UNAVAILABLE;
  private int failures;

  ReportBufferTest() {
    hold.begin();
  }

  @AfterEach
  void stop() {
    timer.shutdownNow();
    pool.shutdownNow();
  }

  @Test
  void reportsWaitForTheNextCallWhichCarriesThemInTheirOrder() {
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a", "b", "c");
    assertThat(sent()).isEmpty();
    assertThat(buffer.carry(OnRefusal.THROW, own("own"))).isEqualTo("done own");
    assertThat(buffer.carry(OnRefusal.THROW, own("next"))).isEqualTo("done next");
    assertThat(sent()).containsExactly(List.of("a", "b", "c", "own"), List.of("next"));
  }

  @Test
  void reportsThatNoCallCarriesAreSentTogetherOnceTheDelayHasPassed() {
    ReportBuffer buffer = buffer(Duration.ofMillis(100), 100);
    add(buffer, "a", "b");
    CoreExtension.await(() -> buffer.size() == 0);
    add(buffer, "c");
    CoreExtension.await(() -> buffer.size() == 0);
    assertThat(sent()).flatExtracting(keys -> keys).containsExactly("a", "b", "c");
    assertThat(sent()).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void aFullBufferIsSentBeforeItAcceptsMore() {
    ReportBuffer buffer = buffer(NEVER, 100);
    IntStream.range(0, ReportBuffer.MAX_REPORTS + 1).forEach(n -> add(buffer, "r" + n));
    assertThat(sent()).singleElement().satisfies(keys -> assertThat(keys).hasSize(64));
    assertThat(buffer.size()).isEqualTo(1);
  }

  @Test
  void reportsOfManyBytesAreSentBeforeMoreAreAccepted() {
    ReportBuffer buffer = buffer(NEVER, 100);
    buffer.add(report("small", ""));
    buffer.add(report("large", "x".repeat(ReportBuffer.MAX_BYTES)));
    assertThat(sent()).containsExactly(List.of("small", "large"));
    assertThat(buffer.size()).isZero();
  }

  @Test
  void noMoreAreSentAtATimeThanTheCoreAccepts() {
    ReportBuffer buffer = buffer(NEVER, 3);
    add(buffer, "a", "b", "c", "d");
    assertThat(sent()).containsExactly(List.of("a", "b", "c"));
  }

  @Test
  void eachIsSentByItselfWhereTheCoreAcceptsNoneOrNoneMayWait() {
    for (ReportBuffer buffer : List.of(buffer(NEVER, 0), buffer(Duration.ZERO, 100))) {
      add(buffer, "a", "b");
      buffer.carry(OnRefusal.THROW, own("own"));
      assertThat(sent()).containsExactly(List.of("a"), List.of("b"), List.of("own"));
      sent.clear();
    }
  }

  @Test
  void aCallCarriesNoReportOfAnotherThreadWhereTheCoreAcceptsNone() throws Exception {
    ReportBuffer buffer = buffer(NEVER, 0);
    List<String> keys = IntStream.range(0, 5_000).mapToObj(n -> "r" + n).toList();
    Future<?> reporter = pool.submit(() -> keys.forEach(key -> add(buffer, key)));
    List<StepReport> carried = new ArrayList<>();
    while (!reporter.isDone()) {
      buffer.carry(OnRefusal.THROW, carried::addAll);
    }
    reporter.get();
    assertThat(carried).isEmpty();
    assertThat(sent()).containsExactlyElementsOf(keys.stream().map(List::of).toList());
  }

  @Test
  void aNewLeaseSetsHowManyReportsACallCarries() {
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a", "b");
    buffer.acceptedByCore(0);
    assertThat(buffer.carry(OnRefusal.THROW, own("own"))).isEqualTo("done own");
    add(buffer, "c");
    assertThat(sent()).containsExactly(List.of("a"), List.of("b"), List.of("own"), List.of("c"));
    buffer.acceptedByCore(100);
    add(buffer, "d", "e");
    buffer.carry(OnRefusal.THROW, own("next"));
    assertThat(sent()).endsWith(List.of("d", "e", "next"));
  }

  @Test
  void aFullBufferThatCannotBeSentAcceptsNoMore() {
    ReportBuffer buffer = buffer(NEVER, 3);
    failure = ErrorCode.ERROR_CODE_UNAUTHENTICATED;
    failures = Integer.MAX_VALUE;
    add(buffer, "a", "b");
    for (String key : List.of("c", "d", "e", "f")) {
      assertThatThrownBy(() -> add(buffer, key)).hasMessage("report `a`: unreachable");
    }
    assertThat(buffer.size()).isEqualTo(3);
    failures = 0;
    add(buffer, "g");
    assertThat(sent()).containsExactly(List.of("a", "b", "c"));
    assertThat(buffer.size()).isEqualTo(1);
  }

  @Test
  void aBufferFullOfBytesThatCannotBeSentAcceptsNoMore() {
    ReportBuffer buffer = buffer(NEVER, 100);
    failure = ErrorCode.ERROR_CODE_UNAUTHENTICATED;
    failures = Integer.MAX_VALUE;
    StepReport large = report("large", "x".repeat(ReportBuffer.MAX_BYTES));
    for (int n = 0; n < 3; n++) {
      assertThatThrownBy(() -> buffer.add(large)).hasMessage("report `large`: unreachable");
    }
    assertThat(buffer.size()).isEqualTo(1);
  }

  @Test
  void atMostOneThreadWaitsToSendReportsInTime() throws Exception {
    AtomicInteger flushes = new AtomicInteger();
    Executor counted =
        flush -> {
          flushes.incrementAndGet();
          pool.execute(flush);
        };
    ReportBuffer buffer = buffer(SOON, 100, counted);
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch reachable = new CountDownLatch(1);
    Future<String> call =
        pool.submit(() -> buffer.carry(OnRefusal.THROW, slow(called, reachable, own("own"))));
    called.await();
    for (int n = 0; n < 10; n++) {
      add(buffer, "r" + n);
      timer.schedule(() -> {}, 2 * SOON.toMillis(), TimeUnit.MILLISECONDS).get();
    }
    assertThat(flushes).hasValue(1);
    reachable.countDown();
    assertThat(call.get()).isEqualTo("done own");
    CoreExtension.await(() -> buffer.size() == 0);
    add(buffer, "later");
    CoreExtension.await(() -> buffer.size() == 0);
    assertThat(sent().stream().flatMap(List::stream))
        .containsExactly(
            "own", "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "later");
  }

  @Test
  void aFlushReturnsOnceNothingWaits() {
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a", "b");
    buffer.flush();
    assertThat(buffer.size()).isZero();
    assertThat(sent()).containsExactly(List.of("a", "b"));
    buffer.flush();
    assertThat(sent()).hasSize(1);
  }

  @Test
  void aRejectedReportIsThrownByTheCallThatCarriesItWhichIsNotMade() {
    rejected.add("b");
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a", "b", "c");
    assertThatThrownBy(() -> buffer.carry(OnRefusal.THROW, own("own")))
        .isInstanceOfSatisfying(
            CallRefused.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_REQUEST);
              assertThat(e.stepKey()).hasValue("b");
            })
        .hasMessage("report `b`: rejected");
    assertThat(sent()).containsExactly(List.of("a"), List.of("c"));
    assertThat(buffer.carry(OnRefusal.THROW, own("own"))).as("thrown once").isEqualTo("done own");
  }

  @Test
  void aReportThatIsRejectedMeanwhileIsThrownByTheNextReport() {
    rejected.addAll(Set.of("b", "d"));
    ReportBuffer buffer = buffer(SOON, 100);
    add(buffer, "a", "b", "c", "d");
    CoreExtension.await(() -> buffer.size() == 0);
    assertThatThrownBy(() -> add(buffer, "e"))
        .hasMessage("report `b`: rejected")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("report `d`: rejected"));
    add(buffer, "f");
    buffer.flush();
    assertThat(sent()).flatExtracting(keys -> keys).containsExactly("a", "c", "f");
  }

  @Test
  void aRejectedCallIsThrownAsItsOwnOnceItsReportsAreSent() {
    rejected.add("own");
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a", "b");
    assertThatThrownBy(() -> buffer.carry(OnRefusal.THROW, own("own")))
        .isInstanceOfSatisfying(CallRefused.class, e -> assertThat(e.stepKey()).isEmpty())
        .hasMessage("rejected");
    assertThat(sent()).containsExactly(List.of("a"), List.of("b"));
    assertThat(buffer.size()).isZero();
  }

  @Test
  void aCallThatMustBeMadeIsMadeThoughReportsAreRejected() {
    rejected.add("b");
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a", "b", "c");
    assertThat(buffer.carry(OnRefusal.LOG, own("own"))).isEqualTo("done own");
    assertThat(sent()).containsExactly(List.of("a"), List.of("c"), List.of("own"));
  }

  @Test
  void aCallMayBeMadeAndLeaveTheRefusalToALaterOne() {
    rejected.add("a");
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a", "b");
    assertThat(buffer.carry(OnRefusal.KEEP, own("own"))).isEqualTo("done own");
    assertThat(sent()).containsExactly(List.of("b"), List.of("own"));
    assertThatThrownBy(() -> add(buffer, "c")).hasMessage("report `a`: rejected");
  }

  @Test
  void reportsStayWhereItIsUnknownWhetherTheyWereApplied() {
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a", "b");
    failures = 1;
    assertThatThrownBy(() -> buffer.carry(OnRefusal.THROW, own("own"))).hasMessage("unreachable");
    assertThat(buffer.size()).isEqualTo(2);
    assertThat(buffer.carry(OnRefusal.THROW, own("own"))).isEqualTo("done own");
    assertThat(sent()).containsExactly(List.of("a", "b", "own"));
  }

  @Test
  void nothingIsSentInTimeWhileTheHandlerWaitsForAnAnswer() throws Exception {
    hold.ask(true);
    ReportBuffer buffer = buffer(SOON, 100);
    add(buffer, "a");
    timer.schedule(() -> {}, 3 * SOON.toMillis(), TimeUnit.MILLISECONDS).get();
    assertThat(sent()).isEmpty();
    hold.ask(false);
    CoreExtension.await(() -> buffer.size() == 0);
    assertThat(sent()).containsExactly(List.of("a"));
  }

  @Test
  void aHandlerThatMustStopReportsNothingMore() {
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a");
    hold.stop(Stop.LOST);
    assertThatThrownBy(() -> add(buffer, "b")).isInstanceOf(TaskCancelled.class);
    assertThat(sent()).isEmpty();
  }

  @Test
  void aThreadThatOutlivesItsHandlerReportsNothingMore() {
    ReportBuffer buffer = buffer(NEVER, 100);
    add(buffer, "a");
    buffer.close();
    assertThatThrownBy(() -> add(buffer, "b")).isInstanceOf(TaskCancelled.class);
    assertThat(buffer.carry(OnRefusal.THROW, own("end"))).isEqualTo("done end");
    assertThat(sent()).containsExactly(List.of("a", "end"));
  }

  private ReportBuffer buffer(Duration delay, int accepted) {
    return buffer(delay, accepted, Runnable::run);
  }

  private ReportBuffer buffer(Duration delay, int accepted, Executor flushes) {
    return new ReportBuffer(
        hold,
        reports -> apply(reports.stream().map(StepReport::getStepKey).toList()),
        new ReportTimer(delay, timer, flushes),
        accepted);
  }

  private Function<List<StepReport>, String> own(String key) {
    return earlier -> {
      List<String> keys = new ArrayList<>(earlier.stream().map(StepReport::getStepKey).toList());
      keys.add(key);
      apply(keys);
      return "done " + key;
    };
  }

  /** Makes a call that does not return before the core can be reached. */
  private static Function<List<StepReport>, String> slow(
      CountDownLatch called, CountDownLatch reachable, Function<List<StepReport>, String> call) {
    return earlier -> {
      called.countDown();
      try {
        reachable.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return call.apply(earlier);
    };
  }

  /** Applies the reports of a call, or none of them. */
  private synchronized void apply(List<String> keys) {
    if (failures > 0) {
      failures--;
      throw new CallRefused(failure, "unreachable", "", null);
    }
    if (keys.stream().anyMatch(rejected::contains)) {
      throw new CallRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "rejected", "", null);
    }
    sent.add(keys);
  }

  private synchronized List<List<String>> sent() {
    return List.copyOf(sent);
  }

  private static void add(ReportBuffer buffer, String... keys) {
    for (String key : keys) {
      buffer.add(report(key, key));
    }
  }

  private static StepReport report(String key, String text) {
    return StepReport.newBuilder()
        .setStepKey(key)
        .setProgress(ProgressReport.newBuilder().setText(text))
        .build();
  }
}

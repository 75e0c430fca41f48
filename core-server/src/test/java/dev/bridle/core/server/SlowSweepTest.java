package dev.bridle.core.server;

import static org.awaitility.Awaitility.await;

import dev.bridle.event.v1.EventFrame;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.StreamEventsRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.Operation;
import dev.bridle.storage.kit.fault.OperationKind;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that answers periodic work late. */
final class SlowSweepTest {
  @TempDir Path directory;

  /** Holds the operations of timers until it may go on, and reports no change by itself. */
  private static final class TimersWait implements FaultPlan {
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    @Override
    public Fault at(Operation operation) {
      String thread = Thread.currentThread().getName();
      if (thread.startsWith("bridle-sweep") || thread.startsWith("bridle-timer")) {
        waiting.add(thread);
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return operation.kind() == OperationKind.WATCH ? Fault.WATCH_LATE : Fault.NONE;
    }

    @Override
    public Duration delay(Operation operation) {
      return Duration.ofHours(1);
    }
  }

  @Test
  void keepsNoStreamFromItsEvents() {
    TimersWait plan = new TimersWait();
    List<EventFrame> frames = new CopyOnWriteArrayList<>();
    try (KeyValueStore real = SuiteStore.openSteady(directory);
        CoreOver core = CoreOver.start(new FaultyStore(real, plan), Clock.systemUTC())) {
      try {
        await().until(() -> !plan.waiting.isEmpty());
        EventServiceGrpc.newStub(core.of("default"))
            .streamEvents(StreamEventsRequest.getDefaultInstance(), collect(frames));
        await().until(() -> frames.stream().anyMatch(EventFrame::hasHistoryEnd));

        // The first may still be found by a look that the reader's arrival has brought.
        for (int sessions = 1; sessions <= 3; sessions++) {
          int expected = sessions;
          createSession(core);
          await().until(() -> created(frames) == expected);
        }
      } finally {
        plan.goOn.countDown();
      }
    }
  }

  private static void createSession(CoreOver core) {
    var unused =
        SessionServiceGrpc.newBlockingStub(core.of("default"))
            .createSession(CreateSessionRequest.newBuilder().setWorkspaceId("default").build());
  }

  private static long created(List<EventFrame> frames) {
    return frames.stream()
        .filter(frame -> frame.getEvent().getEvent().equals("session.created"))
        .count();
  }

  private static StreamObserver<EventFrame> collect(List<EventFrame> frames) {
    return new StreamObserver<>() {
      @Override
      public void onNext(EventFrame frame) {
        frames.add(frame);
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {}
    };
  }
}

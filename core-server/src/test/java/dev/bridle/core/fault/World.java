package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.core.server.SteppedCore;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.agent.OwnAgents;
import dev.bridle.core.work.artifact.ArtifactLimits;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.SimulatedCrash;
import dev.bridle.task.v1.SubmitTaskRequest;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One run of a scenario: a core on a store that fails by a plan, with clients and workers that try
 * again until they have an answer. Where the process crashes, a new core starts over what was
 * committed, and nothing fails any more. All of it runs on the test's thread.
 */
final class World {
  private static final Duration LEASE = TaskOptions.DEFAULT.leaseTime();
  private static final int PATIENCE = 40;
  private static final int PATIENCE_FOR_CHANGES = 40;
  private static final Set<Status.Code> TRY_AGAIN =
      Set.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED);

  private final KeyValueStore beneath;
  private final SetTime time;
  private final Random random = new Random(1);
  private final Map<String, LeaseRequester> workers = new HashMap<>();
  private final Timestamp began;
  private final String vault;
  private final String session;
  private final Expectations expected = new Expectations();
  private final Outside outside = new Outside();
  private FaultyStore store;
  private long faults;
  private Optional<SteppedCore> core = Optional.empty();

  World(Scene scene, SetTime time, FaultPlan plan) {
    this.beneath = scene.store();
    this.vault = scene.vault();
    this.session = scene.session();
    this.time = time;
    this.began = now();
    this.store = new FaultyStore(beneath, plan);
  }

  /** Plays a scenario, and checks what it left in the store. Returns how many faults it met. */
  static long play(Scene scene, FaultPlan plan, Scenario scenario) {
    World world = new World(scene, new SetTime(), plan);
    try {
      world.start();
      scenario.play(world);
      world.replaceStore();
    } finally {
      world.stop();
    }
    try (SteppedCore witness =
        new SteppedCore(scene.store(), world.time, world.time::nanos, world.random)) {
      // What clients have left off may be swept away by then.
      world.time.pass(ArtifactLimits.DEFAULT.uploadTime().plusMillis(1));
      witness.tick();
      witness.tick(); // One sweep closes a channel that nobody serves, the next one removes it.
      new Inspection(scene.store(), witness, world.session).hold(world.expected);
    }
    return world.faults;
  }

  Expectations expected() {
    return expected;
  }

  SubmitTaskRequest submission() {
    return TestCore.submission(session);
  }

  String session() {
    return session;
  }

  String vault() {
    return vault;
  }

  Outside outside() {
    return outside;
  }

  /** Calls the core until it answers. */
  <T> T call(String what, Function<Channel, T> call) {
    return answer(what, running -> call.apply(running.owner()));
  }

  /** Calls the core with a bearer secret until it answers. */
  <T> T callAs(String what, String secret, Function<Channel, T> call) {
    return answer(what, running -> call.apply(running.as(secret)));
  }

  /** Calls the core with an idempotency key until it answers. */
  <T> T callOnce(String what, String key, Function<Channel, T> call) {
    return answer(what, running -> call.apply(running.withKey(key)));
  }

  /** Answers a permission request with an idempotency key until the core answers. */
  <T> T approveOnce(String what, String key, Function<Channel, T> call) {
    return answer(what, running -> call.apply(running.approver(key)));
  }

  private <T> T answer(String what, Function<SteppedCore, T> call) {
    for (int i = 0; i < PATIENCE; i++) {
      store.during(what);
      try {
        T answer = call.apply(core());
        background(SteppedCore::drain);
        recover();
        return answer;
      } catch (StatusRuntimeException e) {
        if (!store.crashed() && !TRY_AGAIN.contains(e.getStatus().getCode())) {
          throw e;
        }
        recover();
      }
    }
    throw new AssertionError(what + " was not answered");
  }

  /** Lets a worker ask for its next lease, and find that there is no task. */
  void want(String worker) {
    var unused = ask(worker, "want");
    recover();
  }

  private LeaseRequester ask(String worker, String what) {
    store.during(what);
    LeaseRequester asking =
        workers.computeIfAbsent(
            worker,
            name ->
                switch (name) {
                  case OwnAgents.REPLAY, OwnAgents.SESSION_REPLAY ->
                      LeaseRequester.ofReplays(core().as(SteppedCore.REPLAYER), name);
                  case ReplayScripts.RECORDS, ReplayScripts.REPLAYS ->
                      LeaseRequester.ofRecorded(
                          core().owner(), name, name.equals(ReplayScripts.REPLAYS));
                  default -> new LeaseRequester(core().owner(), name);
                });
    asking.want();
    core().drain();
    return asking;
  }

  /** Waits for a worker's next lease. */
  TaskLease lease(String worker) {
    for (int i = 0; i < PATIENCE; i++) {
      Optional<TaskLease> lease = ask(worker, "lease").lease();
      recover();
      if (lease.isPresent()) {
        return lease.get();
      }
      leaseTimePasses();
    }
    throw new AssertionError("no lease came for " + worker);
  }

  /** Lets a lease time pass, and the core look after what is due. */
  void leaseTimePasses() {
    time.pass(LEASE.plusMillis(1));
    store.during("sweep");
    background(SteppedCore::tick);
    recover();
  }

  /** Runs the core's background, which may end in a crash. */
  private void background(Consumer<SteppedCore> work) {
    try {
      work.accept(core());
    } catch (SimulatedCrash e) {
      assertThat(store.crashed()).isTrue();
    }
  }

  /** Lets lease times pass, until what a call answers is enough or has been asked too often. */
  <T> T timePassesUntil(Predicate<T> enough, String what, Function<Channel, T> call) {
    leaseTimePasses();
    T seen = call(what, call);
    for (int i = 1; i < PATIENCE_FOR_CHANGES && !enough.test(seen); i++) {
      leaseTimePasses();
      seen = call(what, call);
    }
    return seen;
  }

  Timestamp now() {
    return Timestamps.fromMillis(time.millis());
  }

  /** Returns when it was made. */
  Timestamp began() {
    return began;
  }

  /** Lets time pass without anybody looking. */
  void pass(Duration duration) {
    time.pass(duration);
  }

  private void recover() {
    if (store.crashed()) {
      stop();
      replaceStore();
      start();
    }
  }

  private void start() {
    for (int i = 0; i < PATIENCE; i++) {
      store.during("start");
      try {
        core = Optional.of(new SteppedCore(store, time, time::nanos, random, outside));
        return;
      } catch (StoreException e) {
        // The server's supervisor starts it again.
      } catch (SimulatedCrash e) {
        replaceStore();
      }
    }
    throw new AssertionError("the core does not start");
  }

  private void replaceStore() {
    store.settle();
    faults += store.faults();
    store = new FaultyStore(beneath, FaultPlan.NONE);
  }

  private SteppedCore core() {
    return core.orElseThrow();
  }

  private void stop() {
    workers.clear();
    core.ifPresent(SteppedCore::close);
    core = Optional.empty();
  }
}

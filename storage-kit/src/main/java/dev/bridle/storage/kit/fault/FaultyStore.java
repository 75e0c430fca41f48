package dev.bridle.storage.kit.fault;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.RetryLoop;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.TransactionOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A store that fails as a plan says, the way a cluster or the machine beneath it does: to see
 * whether what runs on it applies every command once, whatever happens.
 *
 * <p>The plan sees every operation, numbered in the order in which they come. A scenario that is to
 * be repeated operation by operation is driven by one thread. Closing this leaves the store beneath
 * open, unless it was made by {@link #bySeed}.
 */
public final class FaultyStore implements KeyValueStore {
  private final KeyValueStore store;
  private final FaultPlan plan;
  private final boolean owner;
  private final RetryLoop retryLoop = RetryLoop.standard(this::begin);
  private final AtomicLong operations = new AtomicLong();
  private final AtomicLong faults = new AtomicLong();
  private final LateCommits late = new LateCommits();
  private volatile String during = "";
  private volatile boolean crashed;

  /**
   * @param store what the transactions really run on
   * @param plan what goes wrong when
   */
  public FaultyStore(KeyValueStore store, FaultPlan plan) {
    this(store, plan, false);
  }

  private FaultyStore(KeyValueStore store, FaultPlan plan, boolean owner) {
    this.store = store;
    this.plan = plan;
    this.owner = owner;
  }

  /**
   * Returns a store as it is; with the system property {@value RandomPlan#SEED} one that fails at
   * random from that seed, in ways that no caller may notice. Closing it closes the store beneath.
   */
  public static KeyValueStore bySeed(KeyValueStore store) {
    Long seed = Long.getLong(RandomPlan.SEED);
    return seed == null ? store : new FaultyStore(store, RandomPlan.hidden(seed), true);
  }

  /** What the plan says of an operation. */
  record Planned(Operation operation, Fault fault) {}

  /** Says what the test is doing from now on, for the names of operations. */
  public void during(String what) {
    during = what;
  }

  /** Returns whether the process is said to be gone. What was committed is beneath. */
  public boolean crashed() {
    return crashed;
  }

  /** Returns how many faults there were. */
  public long faults() {
    return faults.get();
  }

  /** Commits what is still on its way, or finds that it conflicts. */
  public void settle() {
    late.settle();
  }

  /** Returns how many commits were applied after they were reported as failed. */
  public long landedLate() {
    return late.landed();
  }

  /** Returns how many commits that were reported as failed were rejected later. */
  public long refusedLate() {
    return late.refused();
  }

  @Override
  public Transaction begin(TransactionOptions options) {
    var unused = step(OperationKind.BEGIN, false);
    return new FaultyTransaction(this, store.begin(options));
  }

  @Override
  public <T> T transact(TransactionOptions options, Function<Transaction, T> work) {
    return retryLoop.run(options, work);
  }

  @Override
  public CompletableFuture<StoreException> failure() {
    return store.failure();
  }

  @Override
  public void close() {
    settle();
    if (owner) {
      store.close();
    }
  }

  /** Asks the plan, and does what it says of anything but the outcome of a commit. */
  Planned step(OperationKind kind, boolean writes) {
    if (crashed) {
      throw new SimulatedCrash();
    }
    Operation operation = new Operation(operations.getAndIncrement(), kind, writes, during);
    late.before(operation.number());
    Fault fault = plan.at(operation);
    if (!fault.fits(operation)) {
      throw new IllegalStateException("the plan has " + fault + " at " + operation);
    }
    if (fault != Fault.NONE) {
      faults.incrementAndGet();
    }
    if (fault == Fault.CRASH) {
      crash();
    }
    return new Planned(operation, fault);
  }

  /** Does what is planned at a read. */
  void read(OperationKind kind) {
    Planned planned = step(kind, false);
    if (planned.fault() == Fault.SLOW) {
      pause(plan.delay(planned.operation()));
    }
    if (planned.fault().code().isPresent()) {
      throw failure(planned.fault().code().get());
    }
  }

  void crash() {
    crashed = true;
    throw new SimulatedCrash();
  }

  void committed() {
    late.afterCommit();
  }

  void later(Transaction transaction, Operation operation) {
    int by = plan.lateBy(operation);
    late.add(
        transaction, by == FaultPlan.AFTER_NEXT_COMMIT ? Long.MAX_VALUE : operation.number() + by);
  }

  Duration delay(Operation operation) {
    return plan.delay(operation);
  }

  static StoreException failure(Code code) {
    return new StoreException(code, "A fault that a test has planned.");
  }

  private static void pause(Duration time) {
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

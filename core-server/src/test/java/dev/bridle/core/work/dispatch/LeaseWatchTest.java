package dev.bridle.core.work.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.work.dispatch.LeaseWatch.Beat;
import dev.bridle.core.work.dispatch.LeaseWatch.Verdict;
import dev.bridle.core.work.task.LeaseTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When leases are given up, by one server and by several that see the same store. */
final class LeaseWatchTest {
  private static final Beat NEVER = new Beat(0, 0);
  private static final String TASK = "task_1";
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final LeaseTimes ALONE = new LeaseTimes(LEASE, false);
  private static final LeaseTimes SHARED = new LeaseTimes(LEASE, true);

  @Test
  void aLeaseWithAHeartbeatSinceTheLastLookIsLookedAtLater() {
    LeaseWatch watch = new LeaseWatch(ALONE);

    assertThat(watch.look(TASK, new Beat(1, 1), NEVER, 0, 0)).isEqualTo(Verdict.LATER);
    assertThat(watch.look(TASK, new Beat(1, 2), NEVER, 1, LEASE.toNanos()))
        .isEqualTo(Verdict.LATER);
    assertThat(watch.untilCheck(TASK, LEASE.toNanos())).isEqualTo(Duration.ofSeconds(14));
  }

  @Test
  void aLeaseThatCanExpireSoonStaysDueAndExpiresAfterAWholeLeaseTime() {
    LeaseWatch watch = new LeaseWatch(ALONE);

    assertThat(watch.look(TASK, new Beat(1, 1), NEVER, 0, 0)).isEqualTo(Verdict.LATER);
    assertThat(watch.look(TASK, new Beat(1, 1), NEVER, 1, Duration.ofSeconds(14).toNanos()))
        .isEqualTo(Verdict.STAYS_DUE);
    assertThat(watch.look(TASK, new Beat(1, 1), NEVER, 1, LEASE.toNanos() - 1))
        .isEqualTo(Verdict.STAYS_DUE);
    assertThat(watch.look(TASK, new Beat(1, 1), NEVER, 1, LEASE.toNanos()))
        .isEqualTo(Verdict.EXPIRED);
  }

  @Test
  void whereOthersLookTooALeaseStaysDueUntilTheyHave() {
    LeaseWatch watch = new LeaseWatch(SHARED);

    assertThat(watch.look(TASK, new Beat(1, 1), NEVER, 0, 0)).isEqualTo(Verdict.STAYS_DUE);
    assertThat(watch.look(TASK, new Beat(1, 2), NEVER, 0, SHARED.settle().toNanos() - 1))
        .isEqualTo(Verdict.STAYS_DUE);
    assertThat(watch.look(TASK, new Beat(1, 2), NEVER, 0, SHARED.settle().toNanos()))
        .isEqualTo(Verdict.LATER);
  }

  @Test
  void aLeaseWithHeartbeatsAtEachLookIsPutOffAllTheSame() {
    LeaseWatch watch = new LeaseWatch(SHARED);
    Verdict last = Verdict.STAYS_DUE;
    for (int look = 0; look <= 2; look++) {
      last = watch.look(TASK, new Beat(1, look), NEVER, 0, look * SHARED.sweepInterval().toNanos());
    }

    assertThat(last).isEqualTo(Verdict.LATER);
  }

  @Test
  void aLeaseWithoutAHeartbeatSinceItWasPutOffIsNotPutOffAgainByAServerThatHasJustCome() {
    LeaseWatch late = new LeaseWatch(SHARED);
    Beat beat = new Beat(1, 7);
    long settled = SHARED.settle().toNanos();

    assertThat(late.look(TASK, beat, beat, 0, 0)).isEqualTo(Verdict.STAYS_DUE);
    assertThat(late.look(TASK, beat, beat, 0, settled)).isEqualTo(Verdict.STAYS_DUE);
    assertThat(late.look(TASK, new Beat(1, 8), beat, 0, settled)).isEqualTo(Verdict.LATER);
    assertThat(late.look(TASK, new Beat(1, 8), new Beat(1, 8), 1, settled + LEASE.toNanos()))
        .isEqualTo(Verdict.EXPIRED);
  }

  @Test
  void afterATimeInWhichNoHeartbeatCouldBeStoredALeaseHasAWholeLeaseTimeAgain() {
    LeaseWatch watch = new LeaseWatch(ALONE);
    assertThat(watch.look(TASK, new Beat(1, 1), NEVER, 0, 0)).isEqualTo(Verdict.LATER);

    watch.forgetAll();

    assertThat(watch.look(TASK, new Beat(1, 1), NEVER, 0, LEASE.toNanos()))
        .isEqualTo(Verdict.LATER);
  }

  /**
   * Servers that sweep at times of their own, of which some die with the worker, and the last one
   * has started later and forgets at times, never need more than two lease times, and give up no
   * lease with heartbeats.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void aLostLeaseIsGivenUpWithinTwoLeaseTimesHoweverManyServersThereAre(int servers) {
    for (int seed = 0; seed < 300; seed++) {
      Simulation simulation = new Simulation(servers, new Random(seed));

      assertThat(simulation.runsUntilGivenUp())
          .as("servers %s, seed %s", servers, seed)
          .isBetween(LEASE, LEASE.multipliedBy(2));
    }
  }

  /** Servers on one lease: the worker beats until it dies, perhaps with some of the servers. */
  private static final class Simulation {
    private static final Duration BEAT = Duration.ofSeconds(5);
    private static final long FORGETS_EACH = Duration.ofSeconds(10).toNanos();
    private static final long STEP = Duration.ofMillis(10).toNanos();

    private final LeaseTimes times;
    private final Random random;
    private final List<LeaseWatch> servers = new ArrayList<>();
    private final Map<LeaseWatch, Long> nextSweep = new HashMap<>();

    Simulation(int count, Random random) {
      this.times = new LeaseTimes(LEASE, count > 1);
      this.random = random;
      for (int i = 0; i < count; i++) {
        LeaseWatch server = new LeaseWatch(times);
        servers.add(server);
        nextSweep.put(server, random.nextLong(times.sweepInterval().toNanos()));
      }
    }

    private static long now(Random random, int mostMillis) {
      return Duration.ofMillis(random.nextInt(mostMillis)).toNanos();
    }

    /** Returns how long after its last heartbeat the lease is given up. */
    Duration runsUntilGivenUp() {
      long dies = Duration.ofMillis(20_000 + random.nextInt(40_000)).toNanos();
      int survivors = 1 + random.nextInt(servers.size());
      long phase = random.nextLong(BEAT.toNanos());
      long dueAt = times.check().toNanos();
      Beat putOff = NEVER;
      long joins = now(random, 60_000);
      long forgets = now(random, 60_000);
      for (long now = 0; ; now += STEP) {
        long alive = Math.min(now, dies);
        long beats = (alive + phase) / BEAT.toNanos();
        int running = now < dies ? servers.size() : survivors;
        for (LeaseWatch server : servers.subList(0, running)) {
          boolean isLate = server.equals(servers.get(servers.size() - 1));
          if (now < nextSweep.get(server) || (isLate && servers.size() > 1 && now < joins)) {
            continue;
          }
          if (isLate && servers.size() > 1 && now >= forgets) {
            server.forgetAll(); // Its store was slow.
            forgets = now + FORGETS_EACH;
          }
          nextSweep.put(server, now + times.sweepInterval().toNanos());
          if (now < dueAt) {
            continue;
          }
          Beat beat = new Beat(1, beats);
          switch (server.look(TASK, beat, putOff, dueAt, now)) {
            case EXPIRED -> {
              return Duration.ofNanos(now - (beats * BEAT.toNanos() - phase));
            }
            case LATER -> {
              dueAt = now + server.untilCheck(TASK, now).toNanos();
              putOff = beat;
            }
            case STAYS_DUE -> {}
          }
        }
      }
    }
  }
}

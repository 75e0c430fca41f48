package dev.bridle.core.kernel.coalesce;

import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.storage.StoreException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that a timer repeats. A timer gives up work that throws, so each failure ends here. */
public final class Periodic {
  private static final Logger log = LoggerFactory.getLogger(Periodic.class);

  private Periodic() {}

  /**
   * Repeats work until the timer is shut down.
   *
   * @param interval the time from the end of a run to the next, and before the first
   * @param name says in the log what has failed, such as "Looking for tasks"
   */
  public static void every(
      ScheduledExecutorService timer, Duration interval, String name, Runnable work) {
    after(interval, timer, interval, name, work);
  }

  /** Does the same, with a first run at once. */
  public static void everyFromNow(
      ScheduledExecutorService timer, Duration interval, String name, Runnable work) {
    after(Duration.ZERO, timer, interval, name, work);
  }

  private static void after(
      Duration first,
      ScheduledExecutorService timer,
      Duration interval,
      String name,
      Runnable work) {
    var unused =
        timer.scheduleWithFixedDelay(
            () -> run(name, work), first.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static void run(String name, Runnable work) {
    try {
      work.run();
    } catch (StoreException e) {
      FailureLog.warn(log, name + " failed; the next run tries again.", e);
    } catch (RejectedExecutionException e) {
      log.debug("{} is over: the server stops.", name, e);
    } catch (RuntimeException | Error e) {
      log.error("{} failed unexpectedly; the next run tries again.", name, e);
    }
  }
}

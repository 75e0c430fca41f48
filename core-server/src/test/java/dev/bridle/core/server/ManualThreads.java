package dev.bridle.core.server;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The background of a core that runs only when a test says so, on the test's thread: what was asked
 * for, and what a timer would do.
 */
final class ManualThreads implements Executor {
  private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
  private final List<Runnable> periodic = new ArrayList<>();

  @Override
  public void execute(Runnable work) {
    asked.add(work);
  }

  /** Runs what was asked for, and what that asks for. */
  void drain() {
    for (Runnable next = asked.poll(); next != null; next = asked.poll()) {
      next.run();
    }
  }

  /** Runs once whatever a timer would run from time to time. */
  void tick() {
    periodic.forEach(Runnable::run);
    drain();
  }

  /** Returns a timer that keeps what it is given for {@link #tick()}. */
  ScheduledExecutorService timer() {
    return (ScheduledExecutorService)
        Proxy.newProxyInstance(
            ManualThreads.class.getClassLoader(),
            new Class<?>[] {ScheduledExecutorService.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("scheduleWithFixedDelay")) {
                throw new UnsupportedOperationException(method.getName());
              }
              periodic.add((Runnable) arguments[0]);
              return null;
            });
  }
}

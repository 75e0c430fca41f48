package dev.bridle.host.process;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps one agent running: starts it, and starts it again, as the policy says. Thread-safe. */
public final class Supervisor {
  private final AgentLauncher launcher;
  private final AgentCommand command;
  private final RestartPolicy policy;
  private final AgentLifecycle lifecycle;
  private final ScheduledExecutorService timer;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CompletableFuture<AgentExit> over = new CompletableFuture<>();
  private final AtomicInteger starts = new AtomicInteger();
  private Optional<AgentProcess> running = Optional.empty();
  private StopGrace grace = StopGrace.DEFAULT;

  /** Nothing happens before {@link #start}. */
  public Supervisor(
      AgentLauncher launcher,
      AgentCommand command,
      RestartPolicy policy,
      AgentLifecycle lifecycle,
      ScheduledExecutorService timer) {
    this.launcher = launcher;
    this.command = command;
    this.policy = policy;
    this.lifecycle = lifecycle;
    this.timer = timer;
  }

  /** Begins, on a thread of its own. To be called once. */
  public void start() {
    Thread thread = new Thread(this::run, command.name() + "-supervisor");
    thread.setDaemon(true);
    thread.start();
  }

  /** How often the agent was started. */
  public int starts() {
    return starts.get();
  }

  /** Stops the agent for good. Completes when everything is gone; further calls change nothing. */
  public CompletableFuture<AgentExit> stop(StopGrace stopGrace) {
    Optional<AgentProcess> process;
    synchronized (this) {
      if (stopping.getCount() > 0) {
        grace = stopGrace;
        stopping.countDown();
      }
      process = running;
    }
    if (process.isPresent()) {
      var unused = process.get().stop(stopGrace);
    }
    return over.copy();
  }

  /** Completes when no start will follow, with the last end. */
  public CompletableFuture<AgentExit> over() {
    return over.copy();
  }

  private void run() {
    int restarts = 0;
    AgentExit exit = notStarted("It was not started");
    try {
      while (stopping.getCount() > 0) {
        long readySince = 0;
        try {
          AgentProcess process = begin();
          if (ready(process)) {
            readySince = System.nanoTime();
          }
          exit = process.exited().get();
        } catch (IOException e) {
          exit = notStarted(e.getMessage());
        }
        forget();
        lifecycle.exited(exit);
        boolean steady =
            readySince != 0 && System.nanoTime() - readySince >= policy.steady().toNanos();
        restarts = steady ? 1 : restarts + 1;
        if (restarts > policy.restarts()) {
          break;
        }
        var unused = stopping.await(policy.pauseBefore(restarts).toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("A process ended in no known way", e);
    } finally {
      lifecycle.over(exit);
      over.complete(exit);
    }
  }

  private AgentProcess begin() throws IOException, InterruptedException {
    starts.incrementAndGet();
    AgentProcess process = launcher.start(command);
    synchronized (this) {
      running = Optional.of(process);
      if (stopping.getCount() == 0) {
        var unused = process.stop(grace);
      }
    }
    return process;
  }

  private synchronized void forget() {
    running = Optional.empty();
  }

  /** Whether the agent became ready in time. */
  private boolean ready(AgentProcess process) {
    Future<?> late =
        timer.schedule(
            () -> {
              var unused =
                  process.kill(
                      ExitReason.START_FAILED,
                      "The agent was not ready within " + policy.startTimeout());
            },
            policy.startTimeout().toMillis(),
            TimeUnit.MILLISECONDS);
    try {
      lifecycle.started(process);
      return true;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      var unused = process.kill(ExitReason.START_FAILED, "The start failed: " + e.getMessage());
      return false;
    } finally {
      late.cancel(false);
    }
  }

  private static AgentExit notStarted(String why) {
    return new AgentExit(ExitReason.START_FAILED, -1, why, "", 0);
  }
}

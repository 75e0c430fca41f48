package dev.bridle.host.process;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Starts processes on one thread that never ends. The kernel sends the signal of a parent's death
 * when the <em>thread</em> ends that started the child, so children of a pool's thread would die
 * with it. One for each process is enough.
 */
public final class Spawner {
  private final LinkedBlockingQueue<Start> starts = new LinkedBlockingQueue<>();
  private Optional<Process> guard = Optional.empty();

  /** Starts the thread. */
  public Spawner() {
    Thread thread = new Thread(this::run, "agent-spawner");
    thread.setDaemon(true);
    thread.start();
  }

  private record Start(ProcessBuilder command, CompletableFuture<Process> process) {}

  /** Starts a process unless one was started so before, whose pipes stay open as long as this. */
  synchronized void guard(ProcessBuilder command) throws IOException, InterruptedException {
    if (guard.filter(Process::isAlive).isEmpty()) {
      guard = Optional.of(start(command));
    }
  }

  Process start(ProcessBuilder command) throws IOException, InterruptedException {
    Start start = new Start(command, new CompletableFuture<>());
    starts.add(start);
    try {
      return start.process().get();
    } catch (InterruptedException e) {
      var unused = start.process().thenAccept(Process::destroyForcibly);
      throw e;
    } catch (ExecutionException e) {
      throw new IOException("The program can't be started: " + e.getCause().getMessage(), e);
    }
  }

  private void run() {
    while (true) {
      try {
        Start start = starts.take();
        try {
          start.process().complete(start.command().start());
        } catch (IOException | RuntimeException e) {
          start.process().completeExceptionally(e);
        }
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt it, and it must not end.
      }
    }
  }
}

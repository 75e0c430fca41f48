package dev.bridle.host.process;

import dev.bridle.host.text.SecretMask;
import dev.bridle.host.text.TextTail;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * An agent that runs, with everything that it starts. Its stderr is drained; its stdout is the
 * caller's to read. Thread-safe.
 */
public final class AgentProcess {
  private static final int ERROR_BYTES = 16 << 10;
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration KILL_WITHIN = Duration.ofSeconds(10);

  private final AgentCommand command;
  private final Process process;
  private final boolean nested;
  private final ProcessTree tree;
  private final ScheduledExecutorService timer;
  private final TextTail errors = new TextTail(ERROR_BYTES);
  private final SecretMask secrets;
  private final AtomicReference<Cause> cause = new AtomicReference<>();
  private final CompletableFuture<AgentExit> exited = new CompletableFuture<>();

  AgentProcess(
      AgentCommand command,
      Process process,
      boolean nested,
      HostMark mark,
      ScheduledExecutorService timer) {
    this.command = command;
    this.process = process;
    this.nested = nested;
    this.tree = new ProcessTree(process.toHandle(), mark);
    this.timer = timer;
    this.secrets = SecretMask.of(command.environment().variables());
  }

  private record Cause(ExitReason reason, String sentence) {}

  void begin() {
    Thread drain = new Thread(this::drainErrors, command.name() + "-errors");
    drain.setDaemon(true);
    drain.start();
    Future<?> looking =
        timer.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    Thread end = new Thread(() -> awaitEnd(looking, drain), command.name() + "-end");
    end.setDaemon(true);
    end.start();
  }

  /** The number of the process that was started, which holds the others. */
  public long pid() {
    return process.pid();
  }

  /** What the agent writes to stdout. */
  public InputStream output() {
    return process.getInputStream();
  }

  /** What the agent reads from stdin. */
  public OutputStream input() {
    return process.getOutputStream();
  }

  /** The end of what it has written to stderr, without secrets. It is the agent's own text. */
  public String errors() {
    return secrets.mask(errors.wholeLines());
  }

  /** Returns another text that the agent wrote without the secrets that it was given. */
  public String withoutSecrets(String text) {
    return secrets.mask(text);
  }

  /** Why it was ended, in words, if it was for its memory. */
  public Optional<String> memoryExcess() {
    return Optional.ofNullable(cause.get())
        .filter(known -> known.reason() == ExitReason.MEMORY_LIMIT)
        .map(Cause::sentence);
  }

  /** The processes of the agent that live. */
  public int processes() {
    return tree.alive().size();
  }

  /** How much memory the agent and what it started have resident. */
  public long residentBytes() {
    return tree.residentBytes();
  }

  /** Completes when the process has ended and everything that it had started is gone. */
  public CompletableFuture<AgentExit> exited() {
    return exited.copy();
  }

  /** Closes the agent's input, sends TERM, and kills everything, with a grace before each step. */
  public CompletableFuture<AgentExit> stop(StopGrace grace) {
    because(ExitReason.STOPPED, "The agent was asked to stop");
    // Closing flushes, which waits if the agent does not read.
    Thread close = new Thread(this::closeInput, command.name() + "-close");
    close.setDaemon(true);
    close.start();
    Future<?> term = after(grace.afterClose(), this::terminate);
    Future<?> kill = after(grace.afterClose().plus(grace.afterTerm()), this::killAll);
    var unused =
        exited.thenRun(
            () -> {
              term.cancel(false);
              kill.cancel(false);
            });
    return exited();
  }

  /** Kills everything at once. The first reason given is the one that is told. */
  public CompletableFuture<AgentExit> kill(ExitReason reason, String sentence) {
    because(reason, sentence);
    killAll();
    return exited();
  }

  private void because(ExitReason reason, String sentence) {
    cause.compareAndSet(null, new Cause(reason, sentence));
  }

  private Future<?> after(Duration time, Runnable action) {
    return timer.schedule(action, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended, which is what was wanted.
    }
  }

  private void terminate() {
    Stream<ProcessHandle> agent =
        nested
            ? process.toHandle().children().flatMap(ProcessHandle::children)
            : Stream.of(process.toHandle());
    agent.forEach(ProcessHandle::destroy);
  }

  /** By handles: {@link Process#destroyForcibly} closes the pipes too, with what is in them. */
  private void killAll() {
    tree.alive().forEach(ProcessHandle::destroyForcibly);
  }

  /** Also remembers what it sees, for tiers in which processes can leave their parents. */
  private void look() {
    if (nested && command.memoryLimit().isEmpty()) {
      return;
    }
    long used = tree.residentBytes();
    if (command.memoryLimit().isPresent() && used > command.memoryLimit().getAsLong()) {
      var unused =
          kill(
              ExitReason.MEMORY_LIMIT,
              "The agent and what it started had "
                  + (used >> 20)
                  + " MiB of memory, "
                  + (command.memoryLimit().getAsLong() >> 20)
                  + " MiB are allowed");
    }
  }

  private void drainErrors() {
    byte[] chunk = new byte[4096];
    try (InputStream in = process.getErrorStream()) {
      int read = in.read(chunk);
      while (read >= 0) {
        errors.append(chunk, 0, read);
        read = in.read(chunk);
      }
    } catch (IOException e) {
      // The stream ends with the process, in whatever way.
    }
  }

  private void awaitEnd(Future<?> looking, Thread drain) {
    try {
      int code = process.waitFor();
      looking.cancel(false);
      int left = tree.kill(KILL_WITHIN.toNanos());
      drain.join(KILL_WITHIN.toMillis());
      because(ExitReason.EXITED, "The agent ended with code " + code);
      Cause why = cause.get();
      exited.complete(new AgentExit(why.reason(), code, why.sentence(), errors(), left));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

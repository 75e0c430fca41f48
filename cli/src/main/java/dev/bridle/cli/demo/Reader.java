package dev.bridle.cli.demo;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.StreamEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads a session's stream on a separate thread. Reconnects when the server restarts. */
final class Reader implements AutoCloseable {
  private final List<StreamEvent> events = new ArrayList<>();
  private final Narrator narrator;
  private final Thread thread;
  private Optional<RuntimeException> failure = Optional.empty();
  private boolean closed;

  Reader(RestClient client, String session, Narrator narrator) {
    this.narrator = narrator;
    String path = "/v1/sessions/" + RestClient.escape(session) + "/events/stream";
    ResumingStream stream = new ResumingStream(client, path, this::notice);
    thread = new Thread(() -> read(stream), "bridle-demo-reader");
    thread.setDaemon(true);
    thread.start();
  }

  private void read(ResumingStream stream) {
    try {
      stream.readWhile(this::take);
    } catch (RuntimeException e) {
      synchronized (this) {
        failure = Optional.of(e);
        notifyAll();
      }
    }
  }

  private synchronized void notice(String notice) {
    if (!closed) {
      narrator.note("Stream: " + notice);
    }
  }

  private synchronized boolean take(StreamEvent event) {
    events.add(event);
    narrator.event(event);
    notifyAll();
    return !closed;
  }

  /** Waits until an event matches, among those already received and those to come. */
  synchronized void await(String what, Duration deadline, Predicate<StreamEvent> fits) {
    long end = System.nanoTime() + deadline.toNanos();
    while (events.stream().noneMatch(fits)) {
      if (failure.isPresent() && !closed) {
        throw failure.get();
      }
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new CommandFailed(
            ExitCodes.FAILED, what + " did not arrive within " + deadline.toSeconds() + " s.");
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
      }
    }
  }

  /** Returns the events received so far. */
  synchronized List<StreamEvent> events() {
    return List.copyOf(events);
  }

  @Override
  public synchronized void close() {
    closed = true;
    thread.interrupt();
  }
}

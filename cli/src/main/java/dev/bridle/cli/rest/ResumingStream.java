package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An event stream that goes on where it broke: it connects again with {@code Last-Event-ID} until
 * its reader has enough.
 */
public final class ResumingStream {
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** Error codes behind which the same stream can be opened again. */
  private static final Set<String> PASSING =
      Set.of("service_unavailable", "upstream_unavailable", "internal_error", "deadline_exceeded");

  private final RestClient client;
  private final String path;
  private final Duration patience;
  private final Consumer<String> notices;
  private Optional<String> last = Optional.empty();

  /**
   * A stream at its beginning.
   *
   * @param patience how long the server may be gone before the reader gives up
   * @param notices takes a sentence when the connection breaks and when it is there again
   */
  public ResumingStream(
      RestClient client, String path, Duration patience, Consumer<String> notices) {
    this.client = client;
    this.path = path;
    this.patience = patience;
    this.notices = notices;
  }

  /** Reads until the predicate says false. */
  public void readWhile(Predicate<StreamEvent> more) {
    long deadline = System.nanoTime() + patience.toNanos();
    boolean broken = false;
    while (true) {
      try (FrameReader frames = new FrameReader(client.open(path, last))) {
        if (broken) {
          notices.accept(
              "connected again, Last-Event-ID: " + last.orElse("none, from the beginning"));
          broken = false;
        }
        Optional<StreamEvent> event = frames.next();
        while (event.isPresent()) {
          deadline = System.nanoTime() + patience.toNanos();
          if (!accept(event.get(), more)) {
            return;
          }
          event = frames.next();
        }
      } catch (CommandFailed e) {
        if (e.exitCode() != ExitCodes.UNREACHABLE || System.nanoTime() > deadline) {
          throw e;
        }
      } catch (IOException e) {
        if (System.nanoTime() > deadline) {
          throw new CommandFailed(ExitCodes.UNREACHABLE, "The stream broke: " + e, e);
        }
      }
      if (!broken) {
        notices.accept("the connection is gone; trying again");
        broken = true;
      }
      pause();
    }
  }

  private boolean accept(StreamEvent event, Predicate<StreamEvent> more) {
    if (event.kind().equals("error")) {
      boolean passing = PASSING.contains(event.body().at("/error/code").asText());
      throw new CommandFailed(
          passing ? ExitCodes.UNREACHABLE : ExitCodes.FAILED,
          "The stream ended: " + event.body().at("/error/message").asText(event.body().toString()));
    }
    last = Optional.of(event.id());
    return more.test(event);
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }
}

package dev.bridle.cli.rest;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An event stream that goes on where it broke: it connects again with {@code Last-Event-ID} until
 * its reader has enough.
 */
public final class ResumingStream {
  /** Error codes behind which the same stream can be opened again. */
  private static final Set<String> PASSING =
      Set.of("service_unavailable", "upstream_unavailable", "internal_error", "deadline_exceeded");

  private final RestClient client;
  private final String path;
  private final Consumer<String> notices;
  private Optional<String> last = Optional.empty();

  /**
   * A stream at its beginning.
   *
   * @param notices takes a sentence when the connection breaks and when it is there again
   */
  public ResumingStream(RestClient client, String path, Consumer<String> notices) {
    this.client = client;
    this.path = path;
    this.notices = notices;
  }

  /** Reads until the predicate says false. */
  public void readWhile(Predicate<StreamEvent> more) {
    Attempts attempts = client.attempts();
    while (true) {
      BrokenCall broken;
      boolean first = attempts.isUndisturbed();
      try (FrameReader frames = new FrameReader(client.open(path, last), attempts::reset)) {
        if (!first) {
          notices.accept(
              "connected again, Last-Event-ID: " + last.orElse("none, from the beginning"));
        }
        if (!read(frames, more)) {
          return;
        }
        broken = BrokenCall.ofStream("The stream ended early, again and again.");
      } catch (BrokenCall e) {
        broken = e;
      } catch (IOException e) {
        broken = BrokenCall.ofStream("The stream broke again and again, the last time with " + e);
      }
      first = attempts.isUndisturbed();
      if (!client.retries(attempts, broken)) {
        throw broken;
      }
      if (first) {
        notices.accept("the connection is gone; trying again");
      }
    }
  }

  /** Returns whether more is wanted than this connection brought. */
  private boolean read(FrameReader frames, Predicate<StreamEvent> more) throws IOException {
    Optional<StreamEvent> event = frames.next();
    while (event.isPresent() && accept(event.get(), more)) {
      event = frames.next();
    }
    return event.isEmpty();
  }

  private boolean accept(StreamEvent event, Predicate<StreamEvent> more) {
    if (event.kind().equals("error")) {
      String text =
          "The stream ended: " + event.body().at("/error/message").asText(event.body().toString());
      throw PASSING.contains(event.body().at("/error/code").asText())
          ? BrokenCall.ofStream(text)
          : new CommandFailed(ExitCodes.FAILED, text);
    }
    last = Optional.of(event.id());
    return more.test(event);
  }
}

package dev.bridle.cli.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An event stream that resumes after a lost connection: reconnects with {@code Last-Event-ID} until
 * its reader stops.
 */
public final class ResumingStream {
  /** Error codes after which the same stream can be reopened. */
  private static final Set<String> PASSING =
      Set.of("service_unavailable", "upstream_unavailable", "internal_error", "deadline_exceeded");

  private final RestClient client;
  private final String path;
  private final Consumer<String> notices;
  private Optional<String> last;
  private Optional<Duration> longestSilence = Optional.empty();

  /**
   * Creates a stream that starts at its first event.
   *
   * @param notices receives a message when the connection is lost and when it is restored
   */
  public ResumingStream(RestClient client, String path, Consumer<String> notices) {
    this(client, path, Optional.empty(), notices);
  }

  /**
   * Creates a stream that starts after an event, or at its first one.
   *
   * @param after the id of that event
   */
  public ResumingStream(
      RestClient client, String path, Optional<String> after, Consumer<String> notices) {
    this.client = client;
    this.path = path;
    this.last = after;
    this.notices = notices;
  }

  /**
   * Takes a connection for lost on which nothing comes for so long. It has to be longer than the
   * server's time between heartbeats.
   */
  public ResumingStream withLongestSilence(Duration silence) {
    longestSilence = Optional.of(silence);
    return this;
  }

  /** Reads until the predicate returns false. */
  public void readWhile(Predicate<StreamEvent> more) {
    Attempts attempts = client.attempts();
    while (true) {
      BrokenCall broken;
      boolean first = attempts.isUndisturbed();
      try (FrameReader frames = new FrameReader(open(), attempts::reset)) {
        if (!first) {
          notices.accept("reconnected, Last-Event-ID: " + last.orElse("none, from the beginning"));
        }
        if (!read(frames, more)) {
          return;
        }
        broken = BrokenCall.ofStream("The stream ended early on every retry.");
      } catch (BrokenCall e) {
        broken = e;
      } catch (IOException e) {
        broken =
            BrokenCall.ofStream(
                "The connection of the stream was lost on every retry, last with " + e);
      }
      first = attempts.isUndisturbed();
      if (!client.retries(attempts, broken)) {
        throw broken;
      }
      if (first) {
        notices.accept("the connection is lost; retrying");
      }
    }
  }

  private InputStream open() {
    InputStream stream = client.open(path, last, longestSilence);
    return longestSilence
        .<InputStream>map(silence -> new WatchedInputStream(stream, silence))
        .orElse(stream);
  }

  /** Returns whether the reader needs more events than this connection delivered. */
  private boolean read(FrameReader frames, Predicate<StreamEvent> more) throws IOException {
    Optional<StreamEvent> event = frames.next();
    while (event.isPresent() && accept(event.get(), more)) {
      event = frames.next();
    }
    return event.isEmpty();
  }

  private boolean accept(StreamEvent event, Predicate<StreamEvent> more) {
    if (event.kind().equals("error")) {
      JsonNode error = RestClient.error(event.body());
      String text = "The stream ended: " + error.path("message").asText(event.body().toString());
      throw PASSING.contains(error.at("/details/reason").asText(error.path("code").asText()))
          ? BrokenCall.ofStream(text)
          : new CommandFailed(ExitCodes.FAILED, text);
    }
    if (!event.id().isEmpty()) {
      last = Optional.of(event.id());
    }
    return more.test(event);
  }
}

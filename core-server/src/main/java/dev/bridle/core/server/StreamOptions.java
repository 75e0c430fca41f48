package dev.bridle.core.server;

import java.time.Duration;

/**
 * Bounds of event streams.
 *
 * @param maxStreams how many may be open
 * @param stallTimeout how long a reader may take nothing while something waits for it
 * @param credentialInterval how often the credentials of open streams are checked again
 */
public record StreamOptions(int maxStreams, Duration stallTimeout, Duration credentialInterval) {
  /** The defaults for one machine. */
  public static final StreamOptions DEFAULT =
      new StreamOptions(10_000, Duration.ofSeconds(30), Duration.ofSeconds(20));

  StreamOptions withStallTimeout(Duration timeout) {
    return new StreamOptions(maxStreams, timeout, credentialInterval);
  }

  StreamOptions withCredentialInterval(Duration interval) {
    return new StreamOptions(maxStreams, stallTimeout, interval);
  }
}

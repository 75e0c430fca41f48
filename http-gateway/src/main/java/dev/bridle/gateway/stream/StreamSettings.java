package dev.bridle.gateway.stream;

import java.time.Duration;

/**
 * How streams are watched over.
 *
 * @param heartbeatInterval how long an event stream is silent before it carries a comment
 * @param slowReaderTimeout how long a reader may leave waiting data unread before it is cut off
 * @param requestTimeout how long the first message, or the next piece of an upload, may take
 * @param maxUploadBytes the longest upload
 */
public record StreamSettings(
    Duration heartbeatInterval,
    Duration slowReaderTimeout,
    Duration requestTimeout,
    long maxUploadBytes) {

  Duration checkInterval() {
    Duration quarter = slowReaderTimeout.dividedBy(4);
    Duration shorter = quarter.compareTo(heartbeatInterval) < 0 ? quarter : heartbeatInterval;
    return shorter.toMillis() < 1 ? Duration.ofMillis(1) : shorter;
  }
}

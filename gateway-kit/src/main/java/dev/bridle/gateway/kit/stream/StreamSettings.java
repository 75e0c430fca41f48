package dev.bridle.gateway.kit.stream;

import java.time.Duration;

/**
 * The settings of streams.
 *
 * @param heartbeatInterval the heartbeat interval of an idle event stream
 * @param slowReaderTimeout the time after which a stream that its client does not read is closed
 * @param requestTimeout the timeout of the first message, and of each next chunk of an upload
 */
public record StreamSettings(
    Duration heartbeatInterval, Duration slowReaderTimeout, Duration requestTimeout) {

  Duration checkInterval() {
    Duration quarter = slowReaderTimeout.dividedBy(4);
    Duration shorter = quarter.compareTo(heartbeatInterval) < 0 ? quarter : heartbeatInterval;
    return shorter.toMillis() < 1 ? Duration.ofMillis(1) : shorter;
  }
}

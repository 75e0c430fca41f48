package dev.bridle.cli.up;

import dev.bridle.gateway.GatewayOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options that bound what clients may ask of the server. */
final class LimitOptions {

  @Option(
      names = "--max-json-bytes",
      paramLabel = "N",
      description = "The longest JSON body (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_JSON_BYTES)
  private int maxJsonBytes;

  @Option(
      names = "--max-json-depth",
      paramLabel = "N",
      description = "The deepest nesting of a JSON body (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_JSON_DEPTH)
  private int maxJsonDepth;

  @Option(
      names = "--max-artifact-bytes",
      paramLabel = "N",
      description = "The longest artifact (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_ARTIFACT_BYTES)
  private long maxArtifactBytes;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description = "How many connections may be open at a time (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_CONNECTIONS)
  private int maxConnections;

  @Option(
      names = "--sse-heartbeat",
      paramLabel = "TIME",
      description =
          "How long an event stream is silent before a heartbeat (default: ${DEFAULT-VALUE}).",
      defaultValue = "15s")
  private Duration sseHeartbeat = GatewayOptions.DEFAULT_HEARTBEAT_INTERVAL;

  @Option(
      names = "--slow-reader-timeout",
      paramLabel = "TIME",
      description =
          "How long a reader may leave its stream unread before it is cut off (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "30s")
  private Duration slowReader = GatewayOptions.DEFAULT_SLOW_READER_TIMEOUT;

  @Option(
      names = "--request-timeout",
      paramLabel = "TIME",
      description = "How long a request may take (default: ${DEFAULT-VALUE}).",
      defaultValue = "30s")
  private Duration requestTimeout = GatewayOptions.DEFAULT_REQUEST_TIMEOUT;

  GatewayOptions on(GatewayOptions options) {
    return options
        .withMaxJsonBytes(maxJsonBytes)
        .withMaxJsonDepth(maxJsonDepth)
        .withMaxArtifactBytes(maxArtifactBytes)
        .withMaxConnections(maxConnections)
        .withHeartbeatInterval(sseHeartbeat)
        .withSlowReaderTimeout(slowReader)
        .withRequestTimeout(requestTimeout);
  }
}

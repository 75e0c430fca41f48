package dev.bridle.cli.up;

import dev.bridle.core.kernel.resource.TenantLimits;
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
      names = "--max-pending-bytes",
      paramLabel = "N",
      description =
          "How many bytes of request bodies may be under way, half of them for one tenant; beyond"
              + " that, requests are refused with 503 (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_PENDING_BYTES)
  private long maxPendingBytes;

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
      names = "--max-connectors",
      paramLabel = "N",
      description = "How many connectors a tenant may have (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxConnectors;

  @Option(
      names = "--max-schedules",
      paramLabel = "N",
      description = "How many schedules a tenant may have (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxSchedules;

  @Option(
      names = "--max-webhooks",
      paramLabel = "N",
      description =
          "How many webhooks a tenant may have, 10000 at most (default: ${DEFAULT-VALUE}).",
      defaultValue = "100")
  private int maxWebhooks;

  @Option(
      names = "--max-event-streams",
      paramLabel = "N",
      description =
          "How many event streams a tenant may have open at this server (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "2000")
  private int maxEventStreams;

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

  TenantLimits ofTenants() {
    return new TenantLimits(maxConnectors, maxSchedules, maxWebhooks, maxEventStreams);
  }

  GatewayOptions on(GatewayOptions options) {
    return options
        .withMaxJsonBytes(maxJsonBytes)
        .withMaxJsonDepth(maxJsonDepth)
        .withMaxPendingBytes(maxPendingBytes)
        .withMaxArtifactBytes(maxArtifactBytes)
        .withMaxConnections(maxConnections)
        .withHeartbeatInterval(sseHeartbeat)
        .withSlowReaderTimeout(slowReader)
        .withRequestTimeout(requestTimeout);
  }
}

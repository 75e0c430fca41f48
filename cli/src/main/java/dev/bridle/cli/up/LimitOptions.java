package dev.bridle.cli.up;

import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.gateway.GatewayOptions;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that limit requests, connections and resources. */
final class LimitOptions {

  @Option(
      names = "--max-json-bytes",
      paramLabel = "N",
      description = "The maximum size of a JSON body (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_JSON_BYTES)
  private int maxJsonBytes;

  @Option(
      names = "--max-json-depth",
      paramLabel = "N",
      description = "The maximum nesting depth of a JSON body (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_JSON_DEPTH)
  private int maxJsonDepth;

  @Option(
      names = "--max-pending-bytes",
      paramLabel = "N",
      description =
          "The maximum bytes of request bodies in progress, over HTTP and again over gRPC, half of"
              + " them for one tenant; beyond"
              + " that, requests are rejected with 503 (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_PENDING_BYTES)
  private long maxPendingBytes;

  @Option(
      names = "--max-unsent-bytes",
      paramLabel = "N",
      description =
          "The maximum bytes of responses, streams and WebSockets of REST that wait for readers,"
              + " half of them for one tenant; beyond that, the slowest reader is closed (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_UNSENT_BYTES)
  private long maxUnsentBytes;

  @Option(
      names = "--max-artifact-bytes",
      paramLabel = "N",
      description = "The maximum size of an artifact (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + GatewayOptions.DEFAULT_MAX_ARTIFACT_BYTES)
  private long maxArtifactBytes;

  @Option(
      names = "--max-connectors",
      paramLabel = "N",
      description = "The maximum number of connectors per tenant (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxConnectors;

  @Option(
      names = "--max-schedules",
      paramLabel = "N",
      description = "The maximum number of schedules per tenant (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxSchedules;

  @Option(
      names = "--max-webhooks",
      paramLabel = "N",
      description =
          "The maximum number of webhooks per tenant, up to 10000 (default: ${DEFAULT-VALUE}).",
      defaultValue = "100")
  private int maxWebhooks;

  @Option(
      names = "--max-event-streams",
      paramLabel = "N",
      description =
          "The maximum number of open event streams per tenant at this server (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "2000")
  private int maxEventStreams;

  @Option(
      names = "--max-workspaces",
      paramLabel = "N",
      description = "The maximum number of workspaces per tenant (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxWorkspaces;

  @Option(
      names = "--max-personas",
      paramLabel = "N",
      description = "The maximum number of personas per tenant (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxPersonas;

  @Option(
      names = "--max-vaults",
      paramLabel = "N",
      description = "The maximum number of vaults per tenant (default: ${DEFAULT-VALUE}).",
      defaultValue = "1000")
  private int maxVaults;

  @Option(
      names = "--sse-heartbeat",
      paramLabel = "TIME",
      description = "The heartbeat interval of an idle event stream (default: ${DEFAULT-VALUE}).",
      defaultValue = "15s")
  private Duration sseHeartbeat = GatewayOptions.DEFAULT_HEARTBEAT_INTERVAL;

  @Option(
      names = "--slow-reader-timeout",
      paramLabel = "TIME",
      description =
          "The time after which a stream that its client does not read is closed (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "30s")
  private Duration slowReader = GatewayOptions.DEFAULT_SLOW_READER_TIMEOUT;

  @Option(
      names = "--request-timeout",
      paramLabel = "TIME",
      description = "The timeout of a request (default: ${DEFAULT-VALUE}).",
      defaultValue = "30s")
  private Duration requestTimeout = ListenerOptions.DEFAULT_REQUEST_TIMEOUT;

  @Mixin private ConnectionOptions connections = new ConnectionOptions();
  @Mixin private HarpRateOptions harp = new HarpRateOptions();

  private TenantLimits ofTenants() {
    return new TenantLimits(
        maxConnectors,
        maxSchedules,
        maxWebhooks,
        maxEventStreams,
        maxWorkspaces,
        maxPersonas,
        maxVaults);
  }

  CoreOptions on(CoreOptions options) {
    return harp.on(
        connections.on(options.withMaxPendingBytes(maxPendingBytes).withLimits(ofTenants())));
  }

  ListenerOptions on(ListenerOptions options) {
    return connections.on(options).withRequestTimeout(requestTimeout);
  }

  GatewayOptions on(GatewayOptions options) {
    return options
        .withMaxJsonBytes(maxJsonBytes)
        .withMaxJsonDepth(maxJsonDepth)
        .withMaxPendingBytes(maxPendingBytes)
        .withMaxUnsentBytes(maxUnsentBytes)
        .withMaxArtifactBytes(maxArtifactBytes)
        .withHeartbeatInterval(sseHeartbeat)
        .withSlowReaderTimeout(slowReader)
        .withListener(this::on);
  }
}

package dev.bridle.cli.up;

import dev.bridle.core.integrations.relay.RelayRates;
import dev.bridle.core.server.CoreOptions;
import picocli.CommandLine.Option;

/** Options that limit how much each party may send to the HARP relay. */
final class HarpRateOptions {
  @Option(
      names = "--harp-max-submissions",
      paramLabel = "N",
      description =
          "The maximum number of artifacts that each enforcer may submit to the HARP relay per"
              + " minute; beyond that, they are rejected with 429 (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + RelayRates.DEFAULT_SUBMISSIONS)
  private int maxSubmissions;

  @Option(
      names = "--harp-max-decisions",
      paramLabel = "N",
      description =
          "The maximum number of decisions that each approver may send to the HARP relay per"
              + " minute; beyond that, they are rejected with 429 (default: ${DEFAULT-VALUE}).",
      defaultValue = "" + RelayRates.DEFAULT_DECISIONS)
  private int maxDecisions;

  CoreOptions on(CoreOptions options) {
    return options.withRelay(new RelayRates(maxSubmissions, maxDecisions));
  }
}

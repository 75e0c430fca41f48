package dev.bridle.cli.conformance;

import dev.bridle.cli.rest.KeyChoice;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.fixtures.harp.GatewayUnderTest;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options that say who talks to a HARP gateway that is tested. */
final class HarpParties {
  @Option(
      names = "--approver",
      paramLabel = "ID",
      description = "With --harp: the approver who decides, which the gateway must know.")
  private Optional<String> approver = Optional.empty();

  @Option(
      names = "--approver-key-file",
      paramLabel = "FILE",
      description = "With --harp: a file of the approver's API key (default: the same key).")
  private Optional<Path> approverKey = Optional.empty();

  @Option(
      names = "--enforcer",
      paramLabel = "ID",
      description = "With --harp: the enforcer who asks (default: ${DEFAULT-VALUE}).",
      defaultValue = "conformance")
  private String enforcer = "conformance";

  /** Returns a gateway with its parties, once it answers the approver. */
  GatewayUnderTest at(CommandSpec spec, URI gateway, String enforcerKey) {
    String id =
        approver.orElseThrow(
            () -> new ParameterException(spec.commandLine(), "--harp needs --approver"));
    String deciding = approverKey.map(KeyChoice::ofFile).orElse(enforcerKey);
    // Reports an unreachable gateway or an invalid key as one message instead of failed checks.
    new RestClient(gateway, deciding)
        .get("/v1/approvers/" + RestClient.escape(id) + "/inbox?limit=1");
    return new GatewayUnderTest(gateway, enforcerKey, enforcer, deciding, id);
  }
}

package dev.bridle.cli.conformance;

import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.rest.CaChoice;
import dev.bridle.cli.rest.KeyChoice;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.fixtures.conformance.Conformance;
import dev.bridle.fixtures.conformance.ConformanceTarget;
import dev.bridle.fixtures.conformance.Level;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tests any server of the Agents Protocol for conformance to the protocol. */
@Command(
    name = "conformance",
    description = {
      "Test a server of the Agents Protocol, or a HARP gateway, for conformance.",
      "Creates sessions, tasks, artifacts and workspaces on the server, so use a test server."
          + " Reports each check as passed, as failed with the expected behavior and the"
          + " section of the"
          + " protocol that requires it, or as skipped with the reason."
    },
    footer = {
      "%nExample:",
      "  bridle conformance --target http://127.0.0.1:8080 --api-key-file api.key",
      "  bridle conformance --target https://harness.example --level extended --task-input 'Say"
          + " hi.'",
      "  bridle conformance --harp http://127.0.0.1:8085 --approver phone --api-key-file api.key"
    })
public final class ConformanceCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "The base URL of a server of the Agents Protocol.")
  private Optional<URI> target = Optional.empty();

  @Option(
      names = "--harp",
      paramLabel = "URL",
      description = "The base URL of a HARP gateway instead.")
  private Optional<URI> harp = Optional.empty();

  @Mixin private CaChoice ca = new CaChoice();
  @Mixin private KeyChoice key;
  @Mixin private HarpParties parties = new HarpParties();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "The conformance level: core, extended, receipts or replay; each of the others includes"
              + " core (default: ${DEFAULT-VALUE}).",
      defaultValue = "core")
  private String level;

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "The workspace to use (default: the first that the server lists).")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--other-tenant-key",
      paramLabel = "KEY",
      description = "An API key of another tenant; without it, tenant isolation is not tested.")
  private Optional<String> otherTenantKey = Optional.empty();

  @Option(
      names = "--task-input",
      paramLabel = "TEXT",
      description =
          "A text input for the server's agent, if it does not support the inputs of"
              + " Bridle's demo agent.")
  private Optional<String> taskInput = Optional.empty();

  @Option(
      names = "--story",
      paramLabel = "NAME",
      description = "Run only this story, such as Idempotency; can be repeated.")
  private Set<String> stories = new LinkedHashSet<>();

  @Option(names = "--json", description = "Print each check, and the summary, as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public ConformanceCommand() {}

  @Override
  public Integer call() {
    if (target.isPresent() == harp.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "Name either a server with --target, or a HARP gateway with --harp");
    }
    target.ifPresent(url -> requireHttp("--target", url));
    harp.ifPresent(url -> requireHttp("--harp", url));
    // The suites' clients of HTTP and WebSocket trust as their process does, which is this
    // command's.
    ca.trust().ifPresent(SSLContext::setDefault);
    CheckOutput output = new CheckOutput(spec.commandLine().getOut(), json);
    harp.ifPresentOrElse(url -> runHarp(url, output), () -> run(target.orElseThrow(), output));
    return output.summary() ? ExitCodes.DONE : ExitCodes.NOT_CONFORMING;
  }

  private void runHarp(URI gateway, CheckOutput output) {
    CategoryOutput categories = new CategoryOutput(spec.commandLine().getOut(), json);
    Conformance.run(
        parties.at(spec, gateway, key.read()),
        stories,
        check -> {
          output.print(check);
          categories.add(check);
        });
    categories.print();
  }

  private void run(URI server, CheckOutput output) {
    String secret = key.read();
    // Reports an unreachable server or an invalid key as one message instead of failed checks.
    new RestClient(server, secret).get("/v1/workspaces?limit=1");
    Conformance.run(
        new ConformanceTarget(
            server, secret, parsedLevel(), stories, workspace, otherTenantKey, taskInput),
        output::print);
  }

  private void requireHttp(String option, URI url) {
    if (url.getScheme() == null || !url.getScheme().startsWith("http") || url.getHost() == null) {
      throw new ParameterException(
          spec.commandLine(),
          option + " is '" + url + "', expected http://HOST:PORT or https://HOST");
    }
  }

  private Level parsedLevel() {
    return switch (level) {
      case "core" -> Level.CORE;
      case "extended" -> Level.EXTENDED;
      case "receipts" -> Level.RECEIPTS;
      case "replay" -> Level.REPLAY;
      default ->
          throw new ParameterException(
              spec.commandLine(),
              "--level is '" + level + "', expected core, extended, receipts or replay");
    };
  }
}

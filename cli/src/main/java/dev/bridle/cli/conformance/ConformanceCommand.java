package dev.bridle.cli.conformance;

import dev.bridle.cli.console.ExitCodes;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds a server of the Agents Protocol, whosever it is, against what the protocol asks for. */
@Command(
    name = "conformance",
    description = {
      "Hold any server of the Agents Protocol against what the protocol asks for.",
      "It makes sessions, tasks, artifacts and workspaces there, so point it at a server for tests."
          + " Each check is told as passed, as failed with what was expected and the section of the"
          + " protocol that asks for it, or as skipped with the reason."
    },
    footer = {
      "%nExample:",
      "  bridle conformance --target http://127.0.0.1:8080 --api-key-file api.key",
      "  bridle conformance --target https://harness.example --level extended --task-input 'Say"
          + " hi.'"
    })
public final class ConformanceCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--target",
      required = true,
      paramLabel = "URL",
      description = "The server's base URL.")
  private URI target = URI.create("http://127.0.0.1:8080");

  @Mixin private KeyChoice key;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "How much it is held to: core or extended (default: ${DEFAULT-VALUE}).",
      defaultValue = "core")
  private String level;

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "A workspace to work in (default: the first that the server lists).")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--other-tenant-key",
      paramLabel = "KEY",
      description = "A key of another tenant; without one, what tenants may see is not looked at.")
  private Optional<String> otherTenantKey = Optional.empty();

  @Option(
      names = "--task-input",
      paramLabel = "TEXT",
      description =
          "A text that the server's agent works on, for an agent that does not know the inputs of"
              + " Bridle's demo agent.")
  private Optional<String> taskInput = Optional.empty();

  @Option(
      names = "--story",
      paramLabel = "NAME",
      description = "Only this story, such as Idempotency; may be given several times.")
  private Set<String> stories = new LinkedHashSet<>();

  @Option(names = "--json", description = "Print each check, and the summary, as a line of JSON.")
  private boolean json;

  /** Made by picocli. */
  public ConformanceCommand() {}

  @Override
  public Integer call() {
    if (target.getScheme() == null
        || !target.getScheme().startsWith("http")
        || target.getHost() == null) {
      throw new ParameterException(
          spec.commandLine(),
          "--target is '" + target + "', expected http://HOST:PORT or https://HOST");
    }
    String secret = key.read();
    // A server that is not there, or a key that it does not know, is one sentence, not a report.
    new RestClient(target, secret).get("/v1/workspaces?limit=1");
    CheckOutput output = new CheckOutput(spec.commandLine().getOut(), json);
    Conformance.run(
        new ConformanceTarget(
            target, secret, parsedLevel(), stories, workspace, otherTenantKey, taskInput),
        output::tell);
    return output.summary() ? ExitCodes.DONE : ExitCodes.NOT_CONFORMING;
  }

  private Level parsedLevel() {
    return switch (level) {
      case "core" -> Level.CORE;
      case "extended" -> Level.EXTENDED;
      default ->
          throw new ParameterException(
              spec.commandLine(), "--level is '" + level + "', expected core or extended");
    };
  }
}

package dev.bridle.cli;

import dev.bridle.cli.acp.AcpCommand;
import dev.bridle.cli.apikey.ApiKeyCommand;
import dev.bridle.cli.backup.BackupCommand;
import dev.bridle.cli.backup.RestoreCommand;
import dev.bridle.cli.conformance.ConformanceCommand;
import dev.bridle.cli.console.Spans;
import dev.bridle.cli.demo.DemoCommand;
import dev.bridle.cli.harp.HarpCommand;
import dev.bridle.cli.log.LogCommand;
import dev.bridle.cli.masterkey.MasterKeyCommand;
import dev.bridle.cli.oauth.OAuthCommand;
import dev.bridle.cli.phone.PhoneCommand;
import dev.bridle.cli.portability.ExportCommand;
import dev.bridle.cli.portability.ImportCommand;
import dev.bridle.cli.redact.RedactCommand;
import dev.bridle.cli.replay.ReplayCommand;
import dev.bridle.cli.resource.ResourceCommands;
import dev.bridle.cli.run.RunCommand;
import dev.bridle.cli.runtime.RuntimeCommand;
import dev.bridle.cli.storage.StorageCommand;
import dev.bridle.cli.task.TaskCommand;
import dev.bridle.cli.tenant.TenantCommand;
import dev.bridle.cli.tls.TlsCommand;
import dev.bridle.cli.up.HarpGatewayCommand;
import dev.bridle.cli.up.UpCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/**
 * Builds the tree of commands below the root. Loading all commands takes most of the run time of a
 * short command, so only the requested command is loaded.
 */
final class CommandTree {
  private static final String HELP = "help";

  /** The options after which the commands are only listed. */
  private static final List<String> LISTS = List.of("--help", "-h");

  /** The names of the commands, in the order in which the help lists them. */
  static final List<String> NAMES = names();

  private CommandTree() {}

  private static List<String> names() {
    List<String> names =
        new ArrayList<>(
            List.of(
                "run",
                "log",
                "acp",
                "up",
                "harp-gateway",
                "demo",
                "apikey",
                "oauth",
                "master-key",
                "tls",
                "task",
                "replay",
                "redact"));
    names.addAll(ResourceTable.names());
    names.addAll(
        List.of(
            "runtime",
            "export",
            "import",
            "backup",
            "restore",
            "storage",
            "tenant",
            "phone",
            "harp",
            "conformance",
            "completion",
            "version",
            HELP));
    return List.copyOf(names);
  }

  /**
   * Returns a command line with only the command that the first argument names, or with all
   * commands if it names none.
   */
  static CommandLine of(String... arguments) {
    if (arguments.length == 0 || !NAMES.contains(arguments[0])) {
      boolean list = arguments.length == 1 && LISTS.contains(arguments[0]);
      return with(NAMES, !list);
    }
    if (!arguments[0].equals(HELP)) {
      return with(List.of(arguments[0]), true);
    }
    // `help COMMAND` looks the command up among its siblings.
    boolean ofOne = arguments.length > 1 && NAMES.contains(arguments[1]);
    return ofOne && !arguments[1].equals(HELP)
        ? with(List.of(arguments[1], HELP), true)
        : with(NAMES, arguments.length > 1);
  }

  /**
   * Returns a command line with some commands.
   *
   * @param whole whether resources have their commands, which takes reading the contract
   */
  private static CommandLine with(List<String> names, boolean whole) {
    CommandLine line = new CommandLine(new Bridle());
    for (String name : names) {
      Optional<ResourceTable.Row> resource = ResourceTable.find(name);
      line.addSubcommand(name, resource.isPresent() ? group(resource.get(), whole) : create(name));
    }
    line.registerConverter(Duration.class, Spans::parse);
    line.setExecutionExceptionHandler(Bridle::explain);
    return line;
  }

  private static Object group(ResourceTable.Row row, boolean whole) {
    return whole
        ? ResourceCommands.group(row.name(), row.summary(), row.services())
        : ResourceCommands.group(row.name(), row.summary());
  }

  private static Object create(String name) {
    return switch (name) {
      case "run" -> new RunCommand();
      case "log" -> new LogCommand();
      case "acp" -> new AcpCommand();
      case "up" -> new UpCommand();
      case "harp-gateway" -> new HarpGatewayCommand();
      case "demo" -> new DemoCommand();
      case "apikey" -> new ApiKeyCommand();
      case "oauth" -> new OAuthCommand();
      case "master-key" -> new MasterKeyCommand();
      case "tls" -> new TlsCommand();
      case "task" -> new TaskCommand();
      case "replay" -> new ReplayCommand();
      case "redact" -> new RedactCommand();
      case "runtime" -> new RuntimeCommand();
      case "export" -> new ExportCommand();
      case "import" -> new ImportCommand();
      case "backup" -> new BackupCommand();
      case "restore" -> new RestoreCommand();
      case "storage" -> new StorageCommand();
      case "tenant" -> new TenantCommand();
      case "phone" -> new PhoneCommand();
      case "harp" -> new HarpCommand();
      case "conformance" -> new ConformanceCommand();
      case "completion" -> new CompletionCommand();
      case "version" -> new VersionCommand();
      case HELP -> new HelpCommand();
      default -> throw new IllegalArgumentException("Unknown command: " + name + ".");
    };
  }
}

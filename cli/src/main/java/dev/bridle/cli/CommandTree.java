package dev.bridle.cli;

import dev.bridle.cli.apikey.ApiKeyCommand;
import dev.bridle.cli.backup.BackupCommand;
import dev.bridle.cli.backup.RestoreCommand;
import dev.bridle.cli.conformance.ConformanceCommand;
import dev.bridle.cli.console.Spans;
import dev.bridle.cli.demo.DemoCommand;
import dev.bridle.cli.masterkey.MasterKeyCommand;
import dev.bridle.cli.oauth.OAuthCommand;
import dev.bridle.cli.permission.GrantCommand;
import dev.bridle.cli.permission.PermissionCommand;
import dev.bridle.cli.portability.ExportCommand;
import dev.bridle.cli.portability.ImportCommand;
import dev.bridle.cli.resource.BranchCommand;
import dev.bridle.cli.resource.ConnectorCommand;
import dev.bridle.cli.resource.MemoryCommand;
import dev.bridle.cli.resource.PersonaCommand;
import dev.bridle.cli.resource.QuotaCommand;
import dev.bridle.cli.resource.RuntimeCommand;
import dev.bridle.cli.resource.ScheduleCommand;
import dev.bridle.cli.resource.SessionCommand;
import dev.bridle.cli.resource.SkillCommand;
import dev.bridle.cli.resource.ToolCommand;
import dev.bridle.cli.resource.VaultCommand;
import dev.bridle.cli.resource.WebhookCommand;
import dev.bridle.cli.resource.WorkspaceCommand;
import dev.bridle.cli.storage.StorageCommand;
import dev.bridle.cli.task.TaskCommand;
import dev.bridle.cli.tenant.TenantCommand;
import dev.bridle.cli.up.UpCommand;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/**
 * Builds the tree of commands below the root. Loading all commands takes most of the run time of a
 * short command, so only the requested command is loaded.
 */
final class CommandTree {
  private static final String HELP = "help";

  /** The names of the commands, in the order in which the help lists them. */
  static final List<String> NAMES =
      List.of(
          "up",
          "demo",
          "apikey",
          "oauth",
          "master-key",
          "task",
          "session",
          "branch",
          "persona",
          "skill",
          "quota",
          "memory",
          "vault",
          "connector",
          "webhook",
          "schedule",
          "workspace",
          "tool",
          "runtime",
          "permission",
          "grant",
          "export",
          "import",
          "backup",
          "restore",
          "storage",
          "tenant",
          "conformance",
          "version",
          HELP);

  private CommandTree() {}

  /**
   * Returns a command line with only the command that the first argument names, or with all
   * commands if it names none.
   */
  static CommandLine of(String... arguments) {
    if (arguments.length == 0 || !NAMES.contains(arguments[0])) {
      return with(NAMES);
    }
    if (!arguments[0].equals(HELP)) {
      return with(List.of(arguments[0]));
    }
    // `help COMMAND` looks the command up among its siblings.
    boolean ofOne = arguments.length > 1 && NAMES.contains(arguments[1]);
    return with(ofOne && !arguments[1].equals(HELP) ? List.of(arguments[1], HELP) : NAMES);
  }

  private static CommandLine with(List<String> names) {
    CommandLine line = new CommandLine(new Bridle());
    for (String name : names) {
      line.addSubcommand(name, create(name));
    }
    line.registerConverter(Duration.class, Spans::parse);
    line.setExecutionExceptionHandler(Bridle::explain);
    return line;
  }

  private static Object create(String name) {
    return switch (name) {
      case "up" -> new UpCommand();
      case "demo" -> new DemoCommand();
      case "apikey" -> new ApiKeyCommand();
      case "oauth" -> new OAuthCommand();
      case "master-key" -> new MasterKeyCommand();
      case "task" -> new TaskCommand();
      case "session" -> new SessionCommand();
      case "branch" -> new BranchCommand();
      case "persona" -> new PersonaCommand();
      case "skill" -> new SkillCommand();
      case "quota" -> new QuotaCommand();
      case "memory" -> new MemoryCommand();
      case "vault" -> new VaultCommand();
      case "connector" -> new ConnectorCommand();
      case "webhook" -> new WebhookCommand();
      case "schedule" -> new ScheduleCommand();
      case "workspace" -> new WorkspaceCommand();
      case "tool" -> new ToolCommand();
      case "runtime" -> new RuntimeCommand();
      case "permission" -> new PermissionCommand();
      case "grant" -> new GrantCommand();
      case "export" -> new ExportCommand();
      case "import" -> new ImportCommand();
      case "backup" -> new BackupCommand();
      case "restore" -> new RestoreCommand();
      case "storage" -> new StorageCommand();
      case "tenant" -> new TenantCommand();
      case "conformance" -> new ConformanceCommand();
      case "version" -> new VersionCommand();
      case HELP -> new HelpCommand();
      default -> throw new IllegalArgumentException("Unknown command: " + name + ".");
    };
  }
}

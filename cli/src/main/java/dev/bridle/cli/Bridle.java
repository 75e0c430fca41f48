package dev.bridle.cli;

import dev.bridle.cli.apikey.ApiKeyCommand;
import dev.bridle.cli.backup.BackupCommand;
import dev.bridle.cli.backup.RestoreCommand;
import dev.bridle.cli.conformance.ConformanceCommand;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ScopeType;

/** The root of all commands. */
@Command(
    name = "bridle",
    description = "A self-hosted harness server for AI agents.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    subcommands = {
      UpCommand.class,
      DemoCommand.class,
      ApiKeyCommand.class,
      OAuthCommand.class,
      MasterKeyCommand.class,
      TaskCommand.class,
      SessionCommand.class,
      BranchCommand.class,
      PersonaCommand.class,
      SkillCommand.class,
      QuotaCommand.class,
      MemoryCommand.class,
      VaultCommand.class,
      ConnectorCommand.class,
      WebhookCommand.class,
      ScheduleCommand.class,
      WorkspaceCommand.class,
      ToolCommand.class,
      RuntimeCommand.class,
      PermissionCommand.class,
      GrantCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      StorageCommand.class,
      TenantCommand.class,
      ConformanceCommand.class,
      VersionCommand.class,
      HelpCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:done",
      " 1:refused or failed; the reason and what to do next are on stderr",
      " 2:wrong usage",
      " 3:no server could be reached",
      " 4:the task that was watched ended as FAILED or CANCELED",
      " 5:the task that was watched waits for input or approval",
      " 6:the storage check found something, and it is still wrong",
      " 7:the server does not conform to the protocol"
    },
    footer = {"%nExample:", "  bridle up", "  bridle demo"})
public final class Bridle implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /** Made by picocli. */
  public Bridle() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the whole command tree, ready to execute. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Bridle());
    line.registerConverter(Duration.class, Spans::parse);
    line.setExecutionExceptionHandler(Bridle::explain);
    return line;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }

  private static int explain(
      Exception failure, CommandLine line, CommandLine.ParseResult arguments) {
    if (failure instanceof CommandFailed known) {
      line.getErr().println("bridle: " + known.getMessage());
      return known.exitCode();
    }
    line.getErr().println("bridle: this is a defect of Bridle, please report it:");
    failure.printStackTrace(line.getErr());
    return ExitCodes.FAILED;
  }
}

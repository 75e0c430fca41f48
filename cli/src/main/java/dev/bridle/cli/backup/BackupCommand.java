package dev.bridle.cli.backup;

import dev.bridle.admin.v1.BackupServiceGrpc;
import dev.bridle.admin.v1.CreateBackupRequest;
import dev.bridle.admin.v1.CreateBackupResponse;
import dev.bridle.cli.admin.DataDirectory;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates a consistent backup of a data directory, whose server may run. */
@Command(
    name = "backup",
    description = {
      "Create a consistent backup of a data directory, with or without a running server.",
      "Later backups in the same folder are incremental. The operator's credential is left"
          + " out."
    },
    footer = {"%nExample:", "  bridle backup --output /backups/bridle --keep 7"})
public final class BackupCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private DataDirectory directory;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      required = true,
      description = "The folder of backups, created if missing.")
  private Path output = Path.of("");

  @Option(
      names = "--keep",
      paramLabel = "N",
      description =
          "The number of backups to keep in the folder; 0: all (default: ${DEFAULT-VALUE}).",
      defaultValue = "0")
  private int keep;

  @Option(
      names = "--verify",
      description = "Verify the new backup by restoring it to a temporary folder beside it.")
  private boolean verify;

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public BackupCommand() {}

  @Override
  public void run() {
    if (keep < 0) {
      throw new CommandFailed(ExitCodes.USAGE, "--keep is " + keep + ", expected 0 or more.");
    }
    Path folder = output.toAbsolutePath().normalize();
    CreateBackupRequest request =
        CreateBackupRequest.newBuilder().setDirectory(folder.toString()).setKeep(keep).build();
    CreateBackupResponse made =
        directory
            .access()
            .withChannel(
                channel -> BackupServiceGrpc.newBlockingStub(channel).createBackup(request));
    if (verify) {
      Verification.of(folder, made.getBackup());
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          JsonLines.object()
              .put("backup", made.getBackup())
              .put("bytes", made.getBytes())
              .put("files", made.getFiles())
              .put("version", made.getVersion())
              .put("verified", verify));
    } else {
      out.println(
          "Backup "
              + made.getBackup()
              + " in "
              + output
              + ": "
              + made.getBytes()
              + " bytes in "
              + made.getFiles()
              + " files"
              + (verify ? ", verified." : "."));
    }
  }
}

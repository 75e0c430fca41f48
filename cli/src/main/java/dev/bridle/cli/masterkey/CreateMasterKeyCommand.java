package dev.bridle.cli.masterkey;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.core.kernel.seal.MasterKey;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a master key in a new file. */
@Command(
    name = "create",
    description = "Create a master key in a file, readable by its owner only, and print its id.",
    footer = {"%nExample:", "  bridle master-key create /etc/bridle/master.key"})
final class CreateMasterKeyCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file, which must not exist yet.")
  private Path file = Path.of("");

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  @Override
  public void run() {
    try {
      MasterKey key = MasterKeyFile.create(file);
      String id = Integer.toUnsignedString(key.id());
      spec.commandLine()
          .getOut()
          .println(json ? JsonLines.object().put("key_id", id).toString() : id);
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The file " + file + " can't be written: " + e, e);
    }
  }
}

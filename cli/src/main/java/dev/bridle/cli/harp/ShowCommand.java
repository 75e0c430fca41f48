package dev.bridle.cli.harp;

import dev.bridle.cli.console.StyledLine;
import dev.bridle.harp.core.Artifact;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what is to be decided. */
@Command(
    name = "show",
    description = {
      "Show what is to be decided.",
      "A sealed payload is opened with the device's keys, and the hash is computed again: a file"
          + " that was changed is refused."
    },
    footer = {
      "%nExamples:",
      "  bridle harp show --keys phone.keys --artifact a.json",
      "  bridle harp show --keys phone.keys --approver phone --request ID"
    })
final class ShowCommand implements Runnable {
  @Spec private CommandSpec spec;

  @ArgGroup(exclusive = false)
  private KeyOptions keys;

  @Mixin private AskedArtifact asked;

  @Option(names = "--json", description = "Print the opened artifact as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  ShowCommand() {}

  @Override
  public void run() {
    Artifact artifact = asked.open(Optional.ofNullable(keys));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(artifact.json());
    } else {
      StyledLine.print(out, ShownArtifact.lines(artifact));
    }
    out.flush();
  }
}

package dev.bridle.cli;

import dev.bridle.cli.console.BuildVersion;
import dev.bridle.cli.console.JsonLines;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the version. */
@Command(
    name = "version",
    description = "Show the version of Bridle and of Java.",
    footer = {"%nExample:", "  bridle version --json"})
final class VersionCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public void run() {
    if (json) {
      String line =
          JsonLines.object()
              .put("bridle", Version.current())
              .put("java", Runtime.version().toString())
              .toString();
      spec.commandLine().getOut().println(line);
    } else {
      spec.commandLine().getOut().println(BuildVersion.line());
    }
  }
}

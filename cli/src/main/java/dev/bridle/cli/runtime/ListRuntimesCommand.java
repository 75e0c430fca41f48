package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentPresets;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the agents of others that Bridle makes ask. */
@Command(
    name = "list",
    description = {
      "List the agents that 'bridle run' makes ask before they act.",
      "Other agents that speak ACP run, too, but may act without asking."
    },
    footer = {"%nExample:", "  bridle runtime list --json"})
final class ListRuntimesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print a line of JSON for each.")
  private boolean json;

  /** Creates the command; called by picocli. */
  ListRuntimesCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    for (AgentPreset preset : AgentPresets.load().all()) {
      if (json) {
        out.println(line(preset));
      } else {
        AgentPreset.About about = preset.about();
        out.println(
            preset.name()
                + ": "
                + about.command()
                + " (tested with "
                + String.join(", ", about.tested())
                + ")");
        out.println("  asks: " + about.asking());
        about.limits().forEach(limit -> out.println("  not promised: " + limit));
      }
    }
    out.flush();
  }

  private static ObjectNode line(AgentPreset preset) {
    AgentPreset.About about = preset.about();
    ObjectNode line =
        JsonLines.object()
            .put("name", preset.name())
            .put("command", about.command())
            .put("asking", about.asking());
    about.tested().forEach(line.putArray("tested")::add);
    about.limits().forEach(line.putArray("not_promised")::add);
    return line;
  }
}

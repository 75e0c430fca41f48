package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.host.preset.AgentPreset;
import dev.bridle.host.preset.AgentPresets;
import dev.bridle.host.runtime.KnownOffers;
import dev.bridle.host.runtime.RuntimeFile;
import dev.bridle.host.runtime.RuntimeSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the agents of others that Bridle makes ask, or the runtimes of a file. */
@Command(
    name = "list",
    description = {
      "List the agents that 'bridle run' makes ask before they act.",
      "Other agents that speak ACP run, too, but may act without asking.",
      "With --runtimes, list the runtimes of that file, which of them are made to ask, and"
          + " which fail a task by acting without; with --runtime-homes also the modes and"
          + " options that each has offered when a server, or 'bridle runtime test', opened its"
          + " last session."
    },
    footer = {
      "%nExamples:",
      "  bridle runtime list --json",
      "  bridle runtime list --runtimes runtimes.json --runtime-homes data.runtimes"
    })
final class ListRuntimesCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = "--runtimes",
      paramLabel = "FILE",
      description = "A file of runtimes, as 'bridle up' takes it.")
  private Optional<Path> runtimes = Optional.empty();

  @Option(
      names = "--runtime-homes",
      paramLabel = "DIR",
      description = "The homes that a server gives the runtimes of the file.")
  private Optional<Path> homes = Optional.empty();

  @Option(names = "--json", description = "Print a line of JSON for each.")
  private boolean json;

  /** Creates the command; called by picocli. */
  ListRuntimesCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    if (runtimes.isPresent()) {
      ofFile(runtimes.get()).forEach(out::println);
      out.flush();
      return;
    }
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
        out.println("  modes in which it asks: " + String.join(", ", sorted(preset.askingModes())));
        about.limits().forEach(limit -> out.println("  not promised: " + limit));
      }
    }
    out.flush();
  }

  private List<String> ofFile(Path file) {
    try {
      return RuntimeFile.read(file).values().stream()
          .map(
              runtime -> {
                Optional<String> preset = runtime.launch().known().map(AgentPreset::name);
                Optional<ObjectNode> offers = offers(runtime);
                return json
                    ? line(runtime, preset, offers).toString()
                    : text(runtime, preset) + offers.map(ListRuntimesCommand::text).orElse("");
              })
          .toList();
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.USAGE, e.getMessage() + ".", e);
    }
  }

  private Optional<ObjectNode> offers(RuntimeSettings runtime) {
    return homes
        .flatMap(folder -> new KnownOffers(folder).of(runtime.name()))
        .map(
            offered -> {
              ObjectNode found = JsonLines.object();
              ShownOffers.addSettings(found, offered);
              return found;
            });
  }

  private static String text(ObjectNode offers) {
    StringBuilder lines = new StringBuilder();
    offers
        .properties()
        .forEach(
            member ->
                member
                    .getValue()
                    .forEach(
                        each ->
                            lines
                                .append("\n  ")
                                .append(member.getKey())
                                .append(": ")
                                .append(ShownText.line(ShownOffers.line(each)))));
    return lines.toString();
  }

  private static String text(RuntimeSettings runtime, Optional<String> preset) {
    RuntimeSettings.Tasks tasks = runtime.tasks();
    return runtime.name()
        + ": "
        + String.join(" ", runtime.launch().command())
        + "\n  process for each: "
        + runtime.launch().scope().spelled()
        + ", at most "
        + runtime.bounds().processes()
        + "\n  personas: "
        + (tasks.personas().isEmpty() ? "all" : String.join(", ", sorted(tasks.personas())))
        + "\n  workspaces: "
        + (tasks.workspaces().isEmpty() ? "all" : String.join(", ", sorted(tasks.workspaces())))
        + "\n  asks: "
        + preset
            .map(name -> "made to, by the preset " + name)
            .orElse(
                runtime.launch().mustAsk()
                    ? "has to, though no preset makes it"
                    : "nothing is known about it: it may act without asking")
        + (runtime.launch().mustAsk() ? "; acting without fails the task" : "");
  }

  private static ObjectNode line(
      RuntimeSettings runtime, Optional<String> preset, Optional<ObjectNode> offers) {
    ObjectNode line = JsonLines.object().put("name", runtime.name());
    runtime.launch().command().forEach(line.putArray("command")::add);
    line.put("process", runtime.launch().scope().spelled())
        .put("max_processes", runtime.bounds().processes())
        .put("tenant", runtime.tasks().tenant());
    sorted(runtime.tasks().personas()).forEach(line.putArray("personas")::add);
    sorted(runtime.tasks().workspaces()).forEach(line.putArray("workspaces")::add);
    line.put("preset", preset.orElse(null))
        .put("made_to_ask", preset.isPresent())
        .put("must_ask", runtime.launch().mustAsk());
    offers.ifPresent(line::setAll);
    return line;
  }

  private static List<String> sorted(Set<String> names) {
    return names.stream().sorted().toList();
  }

  private static ObjectNode line(AgentPreset preset) {
    AgentPreset.About about = preset.about();
    ObjectNode line =
        JsonLines.object()
            .put("name", preset.name())
            .put("command", about.command())
            .put("asking", about.asking());
    about.tested().forEach(line.putArray("tested")::add);
    sorted(preset.askingModes()).forEach(line.putArray("asking_modes")::add);
    about.limits().forEach(line.putArray("not_promised")::add);
    return line;
  }
}

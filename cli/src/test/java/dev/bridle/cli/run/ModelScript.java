package dev.bridle.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a scripted model does about each prompt: a use of one of the tools that are offered. */
@FunctionalInterface
interface ModelScript {
  /** Returns what is done with the tools of these names; empty where none of them can. */
  Optional<ToolUse> use(List<String> offered);

  /** Runs a command. */
  static ModelScript command(String command) {
    return offered -> ToolUse.command(offered, command, false);
  }

  /** Runs a command, outside the sandbox of an agent that has one. */
  static ModelScript escalated(String command) {
    return offered -> ToolUse.command(offered, command, true);
  }

  /** Writes a file of one line. */
  static ModelScript write(Path file, String text) {
    return offered -> ToolUse.write(offered, file.toString(), text);
  }
}

package dev.bridle.cli.acp;

import dev.bridle.cli.console.ShellWord;
import dev.bridle.cli.console.ShownText;

/**
 * The commands that answer outside of the editor.
 *
 * @param server the options that select the server, each with a leading blank
 */
record AnswerCommands(String server) {
  /** Returns the commands that show and answer a permission request. */
  String of(String request) {
    return "bridle permission show "
        + request
        + server
        + "\nbridle permission approve "
        + request
        + server
        + "\nbridle permission deny "
        + request
        + server;
  }

  /** Returns the command that sends the result of a tool. */
  String ofTool(String task, String call) {
    return "bridle task answer "
        + task
        + " --call "
        + ShellWord.quoted(ShownText.line(call))
        + " --result JSON"
        + server;
  }

  /** Returns the command that follows a task. */
  String watch(String task) {
    return "bridle task watch " + task + server;
  }
}

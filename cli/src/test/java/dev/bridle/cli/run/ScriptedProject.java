package dev.bridle.cli.run;

import dev.bridle.cli.admin.ServerFile;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder with the scripted agent beside it.
 *
 * @param folder the folder that the agent works in
 * @param data the data directory
 * @param agent the agent's program
 */
record ScriptedProject(Path folder, Path data, Path agent) {

  /** Makes a folder and a program in a directory. */
  static ScriptedProject in(Path directory) throws IOException {
    return in(directory, directory.resolve("data"));
  }

  /** Makes a folder and a program in a directory, with data that others use, too. */
  static ScriptedProject in(Path directory, Path data) throws IOException {
    return new ScriptedProject(
        Files.createDirectory(directory.resolve("project")).toRealPath(),
        data,
        AgentProgram.make(directory, "agent"));
  }

  /** Returns the same agent and data with another folder. */
  ScriptedProject another(String name) throws IOException {
    return new ScriptedProject(
        Files.createDirectory(folder.resolveSibling(name)).toRealPath(), data, agent);
  }

  /** Returns the server of a data directory, in a process with an archive of its classes. */
  static DetachedServer detachedServer(Path data) {
    return new DetachedServer(
        data,
        new ServerProgram(BuiltBridle.java(), Duration.ofMinutes(2), false),
        System.out::println);
  }

  /** Ends the server that the runs have started, and waits for that. */
  void stopServer() throws IOException {
    stopServer(data);
  }

  /** Ends the server of a data directory, if one runs, and waits for that. */
  static void stopServer(Path data) throws IOException {
    Optional<ServerFile> server =
        Files.isDirectory(data) ? ServerFile.read(data) : Optional.empty();
    server
        .flatMap(ServerFile::process)
        .ifPresent(
            process -> {
              process.destroy();
              process.onExit().orTimeout(3, TimeUnit.MINUTES).join();
            });
  }

  /** Returns the running server. */
  ServerFile server() throws IOException {
    return ServerFile.read(data).orElseThrow();
  }

  private List<String> arguments(String... more) {
    List<String> all = new ArrayList<>(List.of("run", "--dir", folder.toString()));
    all.addAll(List.of("--data-dir", data.toString()));
    all.addAll(List.of(more));
    all.addAll(List.of("--", agent.toString()));
    return all;
  }

  /** Runs the agent in this process, and checks the exit code. */
  Commands.Said run(int exitCode, String... more) {
    return Commands.run(exitCode, arguments(more).toArray(String[]::new));
  }

  /** Runs the agent at a terminal. */
  AtTerminal atTerminal(String... more) throws IOException {
    return atTerminal(Map.of(), more);
  }

  /** Runs the agent at a terminal, with further variables. */
  AtTerminal atTerminal(Map<String, String> variables, String... more) throws IOException {
    AtTerminal.assumeThere();
    return AtTerminal.start(BuiltBridle.java().bridle(arguments(more)), variables);
  }

  /** Runs the agent at a terminal at which prompts are typed. */
  AtTerminal typing(String... more) throws IOException {
    return typing(Map.of(), more);
  }

  /** Runs the agent at a terminal at which prompts are typed, with further variables. */
  AtTerminal typing(Map<String, String> variables, String... more) throws IOException {
    AtTerminal.assumeThere();
    return AtTerminal.start(typed(more), variables);
  }

  /** Runs the agent as {@link #typing} does, and a command of the shell before and after it. */
  AtTerminal typingBetween(String command, Map<String, String> variables) throws IOException {
    AtTerminal.assumeThere();
    String run = typed().stream().map(AtTerminal::quoted).collect(Collectors.joining(" "));
    return AtTerminal.start(List.of("sh", "-c", command + "; " + run + "; " + command), variables);
  }

  private List<String> typed(String... more) {
    List<String> words = new ArrayList<>(BuiltBridle.java().bridle(arguments(more)));
    words.addAll(1, List.of("-Dbridle.typed=true", "-D" + TerminalWriter.PROPERTY + "=true"));
    return words;
  }

  /** Runs the first command that a terminal shows with this word in it, as a person would. */
  static void runShown(AtTerminal terminal, String word) {
    String line =
        terminal
            .all()
            .lines()
            .filter(shown -> shown.contains("bridle ") && shown.contains(word))
            .findFirst()
            .orElseThrow();
    String command = line.substring(line.indexOf("bridle " + word));
    Stream<String> words =
        Pattern.compile(" ")
            .splitAsStream(command.strip())
            .skip(1)
            .map(given -> given.replace("'", ""));
    Commands.run(0, words.toArray(String[]::new));
  }
}

package dev.bridle.cli.run;

import dev.bridle.cli.process.BuiltBridle;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The scripted agent as a program, by whose name a preset may know it. */
public final class AgentProgram {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  private AgentProgram() {}

  /** Makes the program in a directory. */
  public static Path make(Path directory, String name) throws IOException {
    return make(directory, name, ScriptedAgent.class);
  }

  /** Makes a program of another agent. */
  public static Path make(Path directory, String name, Class<?> agent) throws IOException {
    Path program = directory.resolve(name);
    String words =
        words(program, agent).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    Files.writeString(program, "#!/bin/sh\nexec " + words + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program;
  }

  /** Bridle's class path comes first, since its archive of classes serves no other beginning. */
  private static List<String> words(Path program, Class<?> agent) {
    List<String> words = new ArrayList<>(BuiltBridle.java().words());
    words.add(1, mark(program));
    int last = words.size() - 1;
    words.set(last, words.get(last) + File.pathSeparator + System.getProperty("java.class.path"));
    words.add(agent.getName());
    return words;
  }

  /** Returns the command lines of the processes that a program's runs have left. */
  public static List<String> left(Path program) {
    return with(program.toString());
  }

  /** Returns the command lines that have a text in them. */
  public static List<String> with(String text) {
    return ProcessHandle.allProcesses()
        .map(AgentProgram::line)
        .filter(line -> line.contains(text))
        .toList();
  }

  /** Returns the processes of a program that are agents, without those that hold them. */
  public static List<ProcessHandle> running(Path program) {
    return ProcessHandle.allProcesses()
        .filter(process -> line(process).startsWith(JAVA + " " + mark(program)))
        .toList();
  }

  private static String line(ProcessHandle process) {
    return process.info().commandLine().orElse("");
  }

  /** Its first argument, as a long command line is seen only in part. */
  private static String mark(Path program) {
    return "-Dagent.program=" + program;
  }
}

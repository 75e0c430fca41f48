package dev.bridle.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The scripted agent as a program, by whose name a preset may know it. */
public final class AgentProgram {
  private AgentProgram() {}

  /** Makes the program in a directory. */
  public static Path make(Path directory, String name) throws IOException {
    return make(directory, name, ScriptedAgent.class);
  }

  /** Makes a program of another agent. */
  public static Path make(Path directory, String name, Class<?> agent) throws IOException {
    Path program = directory.resolve(name);
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Files.writeString(
        program,
        "#!/bin/sh\nexec '"
            + java
            + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp '"
            + System.getProperty("java.class.path")
            + "' "
            + agent.getName()
            + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program;
  }

  /** Returns the command lines of the processes that a program's runs have left. */
  public static List<String> left(Path program) {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains(program.toString()))
        .toList();
  }
}

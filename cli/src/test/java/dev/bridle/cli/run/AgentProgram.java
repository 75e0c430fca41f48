package dev.bridle.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The scripted agent as a program, by whose name a preset may know it. */
public final class AgentProgram {
  private AgentProgram() {}

  /** Makes the program in a directory. */
  public static Path make(Path directory, String name) throws IOException {
    Path program = directory.resolve(name);
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Files.writeString(
        program,
        "#!/bin/sh\nexec '"
            + java
            + "' -XX:TieredStopAtLevel=1 -cp '"
            + System.getProperty("java.class.path")
            + "' "
            + ScriptedAgent.class.getName()
            + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program;
  }
}

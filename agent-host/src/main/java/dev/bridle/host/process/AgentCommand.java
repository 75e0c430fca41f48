package dev.bridle.host.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What is run as an agent. Arguments may be secrets, so {@link #toString} has the program alone.
 *
 * @param name a short name for threads and messages
 * @param arguments the program, by path or to be found in the environment's {@code PATH}, and its
 *     arguments
 * @param directory the folder it runs in
 * @param environment all variables it gets
 * @param memoryLimit how many bytes it and everything it starts may have resident, if that is
 *     limited
 */
public record AgentCommand(
    String name,
    List<String> arguments,
    Path directory,
    AgentEnvironment environment,
    OptionalLong memoryLimit) {
  /** Checks and copies. */
  public AgentCommand {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(environment, "environment");
    arguments = List.copyOf(arguments);
    if (arguments.isEmpty() || arguments.get(0).isBlank()) {
      throw new IllegalArgumentException("arguments are empty, expected a program");
    }
    if (!directory.isAbsolute()) {
      throw new IllegalArgumentException(
          "directory is '" + directory + "', expected an absolute path");
    }
    if (memoryLimit.isPresent() && memoryLimit.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "memoryLimit is " + memoryLimit.getAsLong() + ", expected at least 1");
    }
  }

  /** Whether there is such a program. */
  boolean found() {
    Path program = Path.of(arguments.get(0));
    if (program.getNameCount() > 1 || program.isAbsolute()) {
      return Files.isExecutable(directory.resolve(program));
    }
    String path = environment.variables().getOrDefault("PATH", "");
    for (String folder : path.split(":", -1)) {
      Path candidate = directory.resolve(folder).resolve(program);
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "AgentCommand[" + name + ": " + arguments.get(0) + " in " + directory + "]";
  }
}

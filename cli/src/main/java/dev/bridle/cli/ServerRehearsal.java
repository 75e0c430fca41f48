package dev.bridle.cli;

import dev.bridle.cli.demo.JavaCommand;
import dev.bridle.cli.demo.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Starts and stops `bridle up` in a process of its own, which leaves a class data sharing archive
 * of what an idle server loads. An archive is in memory nearly whole, and that of all commands is a
 * third larger. The `bridle` script runs this once after a build.
 */
public final class ServerRehearsal {
  private ServerRehearsal() {}

  /** Makes the archive that the argument names. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("bridle-rehearsal-");
    int code;
    try {
      JavaCommand java = JavaCommand.ofThisProcess().with("-XX:ArchiveClassesAtExit=" + args[0]);
      code = startAndStop(java, directory);
    } finally {
      Rehearsal.delete(directory);
    }
    System.exit(code);
  }

  private static int startAndStop(JavaCommand java, Path directory) {
    List<String> options =
        List.of(
            "--data-dir",
            directory.resolve("data").toString(),
            "--http-port",
            "0",
            "--grpc-port",
            "0");
    try (ServerProcess server =
        ServerProcess.start(java, directory.resolve("server.log"), options)) {
      return server.stop();
    }
  }
}

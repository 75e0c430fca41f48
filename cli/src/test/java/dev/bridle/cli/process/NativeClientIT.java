package dev.bridle.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.demo.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with its data in a directory has nothing to do with FoundationDB's native client. */
@Tag("slow")
final class NativeClientIT {
  private static final String CLIENT = "com.apple.foundationdb.";

  @TempDir private Path directory;

  @Test
  void aServerOnADirectoryLoadsNothingOfTheClientButItsTuples() throws Exception {
    Commands commands = new Commands(directory);
    try (ServerProcess server = commands.startProcess("data")) {
      var unused = commands.completedTask(server.url(), "data");
      List<String> ofClient =
          loadedClasses(server.pid()).stream().filter(name -> name.startsWith(CLIENT)).toList();
      // A range of keys is plain Java, as tuples are.
      assertThat(ofClient)
          .isNotEmpty()
          .allMatch(name -> name.startsWith(CLIENT + "tuple.") || name.equals(CLIENT + "Range"));
    }
  }

  private static List<String> loadedClasses(long pid) throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                "VM.class_hierarchy",
                "-i")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
    assertThat(jcmd.waitFor()).isZero();
    return out.lines().map(line -> line.replaceAll("^[|\\-\\s]*", "").split("[/ ]", 2)[0]).toList();
  }
}

package dev.bridle.storage.fdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** FoundationDB's native client is loaded by whoever chooses a cluster, and by nobody else. */
class NativeClientIT {
  private static final String CLIENT = "com.apple.foundationdb.";

  @TempDir Path directory;

  @Test
  void theEmbeddedStoreAndItsLayersLoadNothingOfTheClientButItsTuples() throws Exception {
    Path loaded = directory.resolve("loaded");
    String out =
        run(
            List.of("-Xlog:class+load:file=" + loaded + ":none"),
            EmbeddedPath.class,
            directory.resolve("data").toString());
    assertThat(out).isEqualTo("stored\n");
    try (Stream<String> lines = Files.lines(loaded)) {
      List<String> ofClient =
          lines
              .map(line -> line.substring(0, line.indexOf(' ')))
              .filter(name -> name.startsWith(CLIENT))
              .toList();
      assertThat(ofClient).isNotEmpty().allMatch(name -> name.startsWith(CLIENT + "tuple."));
    }
  }

  @Test
  void aMissingClientLibraryIsOneLineThatSaysWhatToInstall() throws Exception {
    Path clusterFile = Files.writeString(directory.resolve("fdb.cluster"), "a:b@127.0.0.1:1");
    String out =
        run(
            List.of("-DFDB_LIBRARY_PATH_FDB_C=/nowhere/libfdb_c.so"),
            ClusterPath.class,
            clusterFile.toString());
    assertThat(out)
        .hasLineCount(2)
        .startsWith("FoundationDB's client library libfdb_c can't be loaded; it was looked for at")
        .contains("/nowhere/libfdb_c.so")
        .contains("Install the package foundationdb-clients 7.3")
        .contains("LD_LIBRARY_PATH");
  }

  @Test
  void aMissingClusterFileIsSaidWithoutTheLibrary() throws Exception {
    Path clusterFile = directory.resolve("fdb.cluster");
    String out = run(List.of(), ClusterPath.class, clusterFile.toString());
    assertThat(out)
        .isEqualTo(
            ("The FoundationDB cluster file " + clusterFile + " does not exist or can't be read.\n")
                .repeat(2));
  }

  private static String run(List<String> options, Class<?> main, String argument)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-cp", System.getProperty("java.class.path")));
    command.addAll(options);
    command.addAll(List.of(main.getName(), argument));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    return out;
  }
}

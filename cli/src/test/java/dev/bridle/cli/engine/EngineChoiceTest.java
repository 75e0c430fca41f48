package dev.bridle.cli.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.Bridle;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What can't be started says so in one sentence, before anything is opened. */
class EngineChoiceTest {
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  @TempDir private Path directory;

  @Test
  void aClusterNeedsItsFile() {
    assertThat(up(USAGE, "--storage", "fdb")).contains("--storage fdb requires --cluster-file");
  }

  @Test
  void optionsOfAClusterAreRefusedForAnEmbeddedStoreAndTheOtherWayRound() {
    assertThat(up(USAGE, "--cluster-file", "fdb.cluster")).contains("require --storage fdb");
    assertThat(up(USAGE, "--key-prefix", "prod")).contains("require --storage fdb");
    assertThat(up(USAGE, "--storage", "fdb", "--cluster-file", "x", "--accept-loss"))
        .contains("--accept-loss applies to embedded stores");
    assertThat(up(USAGE, "--storage", "sqlite")).contains("sqlite");
    assertThat(up(USAGE, "--storage", "fdb", "--cluster-file", "x", "--key-prefix", ""))
        .contains("--key-prefix must not be empty");
  }

  @Test
  void aClusterFileThatIsMissingIsNamed() {
    Path missing = directory.resolve("fdb.cluster");
    assertThat(cluster(FAILED, "--cluster-file", missing.toString()))
        .contains("The FoundationDB cluster file " + missing + " does not exist")
        .hasLineCount(1);
    assertThat(directory.resolve("cluster.json")).doesNotExist();
  }

  @Test
  void aDirectoryStaysWithItsEngine() throws IOException {
    new EngineFile("/etc/foundationdb/fdb.cluster", "prod").write(directory);
    assertThat(up(USAGE))
        .contains("is stored in a cluster")
        .contains("--cluster-file /etc/foundationdb/fdb.cluster");
    assertThat(cluster(USAGE, "--cluster-file", "x", "--key-prefix", "test"))
        .contains("was used with --key-prefix 'prod', not 'test'");
    assertThat(directory.resolve("rocksdb")).doesNotExist();

    Files.createDirectory(directory.resolve("rocksdb"));
    assertThat(cluster(USAGE, "--cluster-file", "x", "--key-prefix", "prod"))
        .contains("contains an embedded store");
  }

  @Test
  void theCommandsBesideTheServerFindTheClusterOfTheirDirectory() throws IOException {
    new EngineFile(directory.resolve("gone.cluster").toString(), "prod").write(directory);
    assertThat(run(FAILED, "apikey", "list", "--data-dir", directory.toString()))
        .contains("gone.cluster does not exist");
  }

  @Test
  void noPrefixBeginsWithAnother() {
    var longer = (EngineChoice.Cluster) EngineChoice.cluster(Path.of("x"), "prod-2");
    var shorter = (EngineChoice.Cluster) EngineChoice.cluster(Path.of("x"), "prod");
    assertThat(new String(longer.options().prefix(), UTF_8))
        .doesNotStartWith(new String(shorter.options().prefix(), UTF_8));
  }

  private String cluster(int exitCode, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--storage", "fdb", "--master-key-file", "k"));
    all.addAll(List.of(arguments));
    return up(exitCode, all.toArray(String[]::new));
  }

  private String up(int exitCode, String... arguments) {
    List<String> all = new ArrayList<>(List.of("up", "--data-dir", directory.toString()));
    all.addAll(List.of(arguments));
    return run(exitCode, all.toArray(String[]::new));
  }

  private static String run(int exitCode, String... arguments) {
    StringWriter err = new StringWriter();
    CommandLine line =
        Bridle.commandLine()
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err));
    assertThat(line.execute(arguments)).as("%s", err).isEqualTo(exitCode);
    return err.toString();
  }
}

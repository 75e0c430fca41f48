package dev.bridle.cli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.TenantSpace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StorageCommandIT {
  @TempDir Path directory;

  @Tag("slow")
  @Test
  void aRunningServerIsCheckedAndMeasuredThroughItself() throws IOException {
    try (LocalServer server = LocalServer.start(LocalServerOptions.of(directory))) {
      assertThat(server.firstKey()).isPresent();
      Result check = run("check");
      assertThat(check.exitCode()).isEqualTo(ExitCodes.DONE);
      assertThat(check.out()).matches("Checked \\d+ keys: no problems found\\.\\R");

      Result stats = run("stats", "--json");
      assertThat(stats.exitCode()).isEqualTo(ExitCodes.DONE);
      assertThat(stats.out())
          .contains("\"tenant_id\":\"default\",\"subspace\":\"event\",\"keys\":1,")
          .contains("\"type\":\"total\"", "\"disk_bytes\":");
    }
  }

  @Tag("slow")
  @Test
  void aStoppedDirectoryIsCheckedByItselfAndRepaired() throws IOException {
    LocalServer.start(LocalServerOptions.of(directory)).close();
    assertThat(run("check", "--json").out())
        .startsWith("{\"type\":\"summary\",\"found\":0,\"repaired\":0,");
    forgetNewestEvent();

    Result found = run("check");
    assertThat(found.exitCode()).isEqualTo(ExitCodes.STORAGE_NOT_SOUND);
    assertThat(found.out())
        .startsWith("last_event_wrong  default  default: ")
        .contains("1 found, 0 of them repaired.");
    Result json = run("check", "--json");
    assertThat(json.out())
        .contains("{\"type\":\"finding\",\"kind\":\"last_event_wrong\",\"tenant_id\":\"default\"");
    Result repair = run("check", "--repair");
    assertThat(repair.exitCode()).isEqualTo(ExitCodes.DONE);
    assertThat(repair.out()).contains("  repaired", "1 found, 1 of them repaired.");
    assertThat(run("check").out()).contains("no problems found.");
    assertThat(run("stats").out()).contains("on disk in " + directory);
  }

  @Test
  void aDirectoryThatIsNotThereIsSaidSo() {
    Result check = run(directory.resolve("none"), "check");

    assertThat(check.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(check.err()).contains("There is no data directory");
    assertThat(Files.exists(directory.resolve("none"))).isFalse();
  }

  private void forgetNewestEvent() {
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      byte[] key = new Rows(KeyLayout.root()).key("default", TenantSpace.LAST_EVENT, "default");
      store.transact(
          tr -> {
            tr.clear(key);
            return true;
          });
    }
  }

  private Result run(String... arguments) {
    return run(directory, arguments);
  }

  private static Result run(Path dataDir, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Bridle.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of("storage"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--data-dir", dataDir.toString()));
    int exitCode = line.execute(all.toArray(String[]::new));
    line.getOut().flush();
    line.getErr().flush();
    return new Result(exitCode, out.toString(), err.toString());
  }

  private record Result(int exitCode, String out, String err) {}
}

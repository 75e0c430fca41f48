package dev.bridle.cli.admin;

import static dev.bridle.cli.process.Commands.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.process.Commands;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.Rows;
import dev.bridle.storage.layer.SystemSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another release wrote is refused in one clear line, and left as it is. */
@Tag("slow")
final class OtherFormatIT {
  private static final Rows ROWS = new Rows(KeyLayout.root());

  @TempDir private Path directory;

  @ParameterizedTest(name = "format {0}")
  @ValueSource(ints = {0, 99})
  void whateverAnOperatorAsksForIsRefused(int format) throws IOException {
    Path data = directory.resolve("data");
    Path backups = directory.resolve("backups");
    LocalServer.start(LocalServerOptions.of(data)).close();
    run(0, "backup", "--data-dir", data.toString(), "--output", path("good"));
    try (EmbeddedStore store = open(data)) {
      store.transact(
          tr -> {
            tr.set(ROWS.key(SystemSpace.FORMAT), ROWS.value(format));
            return true;
          });
      assertThat(store.backUp(backups, 0).bytes()).isPositive();
    }
    List<String> before = AllRows.of(data);
    String dataDir = data.toString();

    refused(format, "export", "--data-dir", dataDir, "--output", path("out.bridle"));
    refused(format, "storage", "check", "--data-dir", dataDir);
    refused(format, "storage", "check", "--repair", "--data-dir", dataDir);
    refused(format, "backup", "--data-dir", dataDir, "--output", path("more"));
    refused(format, "restore", "--from", path("backups"), "--data-dir", path("new"));
    refused(
        format,
        "restore",
        "--from",
        path("good"),
        "--data-dir",
        path("new"),
        "--old-data-dir",
        dataDir);

    assertThat(AllRows.of(data)).isEqualTo(before);
    assertThat(directory.resolve("new")).doesNotExist();
  }

  private static void refused(int format, String... arguments) {
    Commands.Said said = run(1, arguments);
    assertThat(said.err().lines())
        .singleElement()
        .asString()
        .startsWith("bridle: ")
        .contains("The stored data has format " + format);
  }

  private static EmbeddedStore open(Path data) {
    return EmbeddedStore.open(data, EmbeddedOptions.DEFAULT);
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }
}

package dev.bridle.cli.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.up.LocalServer;
import dev.bridle.cli.up.LocalServerOptions;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.fixtures.client.ProtocolClient;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.migration.FormatHistory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Data of every format since the first is opened, checked and read as it was when it was written.
 * An archive is written once, by the release that brings a format or records of new kinds within
 * one:
 *
 * <pre>
 * ./mvnw -pl cli -am test -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dtest='GoldenDataIT#writeAnArchive' -Dbridle.write-golden=format-1-with-receipts
 * </pre>
 */
class GoldenDataIT {
  private static final long MAX_ARCHIVE_BYTES = 300_000;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"format-1", "format-1-with-receipts"})
  void dataOfAFormatOpensIsSoundAndReadsAsItWasWritten(String name) throws IOException {
    JsonNode notes;
    try (InputStream archive = GoldenDataIT.class.getResourceAsStream(name + ".zip")) {
      assertThat(archive).as(name).isNotNull();
      notes = GoldenArchive.unpack(archive, directory);
    }
    check();
    try (LocalServer server = LocalServer.start(LocalServerOptions.of(directory))) {
      GoldenScenario.verify(
          new ProtocolClient(server.baseUrl(), notes.get("api_key").textValue()), notes);
    }
    check();
  }

  @Test
  void theCurrentFormatHasAnArchive() throws IOException {
    try (InputStream archive =
        GoldenDataIT.class.getResourceAsStream("format-" + FormatHistory.OURS.current() + ".zip")) {
      assertThat(archive).isNotNull();
      assertThat(archive.readAllBytes().length).isLessThan((int) MAX_ARCHIVE_BYTES);
    }
  }

  @Test
  @EnabledIfSystemProperty(
      named = "bridle.write-golden",
      matches = "format-[0-9a-z-]+",
      disabledReason = "writes a file of the sources; see the class's comment")
  void writeAnArchive() throws IOException {
    ObjectNode notes;
    try (LocalServer server = LocalServer.start(LocalServerOptions.of(directory))) {
      String key = server.firstKey().orElseThrow();
      notes = new GoldenScenario(new ProtocolClient(server.baseUrl(), key)).play();
      notes.put("api_key", key);
    }
    check();
    Path archive =
        Path.of("src/test/resources/dev/bridle/cli/golden")
            .resolve(System.getProperty("bridle.write-golden") + ".zip");
    Files.createDirectories(archive.getParent());
    GoldenArchive.pack(directory, notes, archive);
    assertThat(archive)
        .satisfies(file -> assertThat(Files.size(file)).isLessThan(MAX_ARCHIVE_BYTES));
  }

  private void check() {
    try (EmbeddedStore store = EmbeddedStore.open(directory, EmbeddedOptions.DEFAULT)) {
      assertThat(
              new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG)
                  .check(CheckProgress.SILENT)
                  .findings())
          .isEmpty();
    }
  }
}

package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person reads once a server is ready. */
@Tag("slow")
final class AnnouncementIT {
  @TempDir private static Path directory;
  private static LocalServer server;

  @BeforeAll
  static void start() throws IOException {
    server =
        LocalServer.start(
            LocalServerOptions.of(directory.resolve("data")).withoutDemoAgent().withHarpPort(0));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<String> lines(Announcement.Kind kind) {
    StringWriter out = new StringWriter();
    new Announcement(new PrintWriter(out), false, kind).ready(server, directory, Optional.empty());
    return out.toString().lines().toList();
  }

  @Test
  void aServerSaysWhereRestAndHarpAre() {
    assertThat(lines(Announcement.OF_SERVER))
        .contains(
            "  REST and SSE  " + server.baseUrl(),
            "  HARP          " + server.harpUrl().orElseThrow());
  }

  @Test
  void aRelayAloneSaysThatRestIsForItsAdministrator() {
    assertThat(lines(Announcement.OF_RELAY))
        .contains(
            "  admin REST    " + server.baseUrl(),
            "  HARP          " + server.harpUrl().orElseThrow())
        .noneMatch(line -> line.contains("SSE"))
        .anyMatch(line -> line.contains("harp parties create phone --url " + server.baseUrl()));
  }
}

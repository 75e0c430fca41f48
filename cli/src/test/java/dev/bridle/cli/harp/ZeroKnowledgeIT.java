package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a relay in a process of its own has of a payload: in its memory, its files and its log. */
@Tag("slow")
final class ZeroKnowledgeIT {
  private static final String MARKER = "what-nobody-but-the-device-may-see";
  private static final String LABEL = "what-the-relay-may-see";

  @TempDir private Path directory;
  private ServerProcess server;
  private String key;

  @BeforeEach
  void start() throws IOException {
    Path keyFile = directory.resolve("api.key");
    server =
        ServerProcess.start(
            BuiltBridle.java(),
            directory.resolve("server.log"),
            List.of(
                "--data-dir",
                path("data"),
                "--api-key-file",
                keyFile.toString(),
                "--http-port",
                "0",
                "--grpc-port",
                "0",
                "--harp-port",
                "0",
                "--log-level",
                "debug",
                "--no-demo-agent"));
    key = Files.readString(keyFile).strip();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private Commands.Said relayed(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--relay", server.harpUrl().orElseThrow().toString(), "--api-key", key));
    return HarpFolder.harp(0, all.toArray(String[]::new));
  }

  @Test
  void aPayloadIsInNoByteOfTheRelaysMemoryFilesAndLog() throws Exception {
    exchange();

    Path heap = directory.resolve("relay.hprof");
    Process dump =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.pid()),
                "GC.heap_dump",
                "-all",
                heap.toString())
            .inheritIO()
            .start();
    assertThat(dump.waitFor(2, TimeUnit.MINUTES)).isTrue();

    assertThat(has(heap, LABEL)).as("what the relay may see is found in its memory").isTrue();
    assertThat(has(heap, MARKER)).as("the payload is in its memory").isFalse();
    List<Path> files = new ArrayList<>(List.of(directory.resolve("server.log")));
    try (Stream<Path> data = Files.walk(directory.resolve("data"))) {
      data.filter(Files::isRegularFile).forEach(files::add);
    }
    for (Path file : files) {
      assertThat(has(file, MARKER)).as("the payload is in %s", file).isFalse();
    }
  }

  /** Asks for a decision, decides and delivers it. */
  private void exchange() {
    HarpFolder folder = new HarpFolder(directory);
    folder.createDevice("phone");
    HarpFolder.harp(
        0, "parties", "create", "phone", "--url", server.url().toString(), "--api-key", key);
    String request =
        folder.createArtifact("a", "{\"command\":\"" + MARKER + "\",\"salt\":\"c2FsdA\"}", "phone");
    String sealed = path("a.sealed.json");
    relayed("submit", "--enforcer", "ci", "--artifact", sealed, "--label", LABEL);
    assertThat(relayed("inbox", "--approver", "phone").out()).contains(LABEL, request);
    Commands.Said decided =
        folder.decide(
            0,
            "approve",
            "phone",
            List.of(
                "--approver",
                "phone",
                "--request",
                request,
                "--relay",
                server.harpUrl().orElseThrow().toString(),
                "--api-key",
                key));
    assertThat(decided.err()).contains(MARKER);
    relayed(
        "submit",
        "--enforcer",
        "ci",
        "--artifact",
        sealed,
        "--wait",
        "30s",
        "--out",
        path("d.json"));
    assertThat(folder.enforce(0, "phone", "a.json", "d.json").out()).contains("allow");
  }

  /** Returns whether a file has a text, as one byte or two for each character. */
  private static boolean has(Path file, String text) throws IOException {
    return has(file, text.getBytes(StandardCharsets.ISO_8859_1))
        || has(file, text.getBytes(StandardCharsets.UTF_16LE));
  }

  private static boolean has(Path file, byte[] wanted) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
      byte[] window = new byte[1 << 20];
      int kept = 0;
      int read;
      while ((read = in.read(window, kept, window.length - kept)) > 0) {
        int filled = kept + read;
        if (new String(window, 0, filled, StandardCharsets.ISO_8859_1)
            .contains(new String(wanted, StandardCharsets.ISO_8859_1))) {
          return true;
        }
        kept = Math.min(wanted.length - 1, filled);
        System.arraycopy(window, filled - kept, window, 0, kept);
      }
      return false;
    }
  }
}

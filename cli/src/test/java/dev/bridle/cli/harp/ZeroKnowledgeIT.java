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

  private Commands.Said harp(String... words) {
    List<String> all = new ArrayList<>(List.of("harp"));
    all.addAll(List.of(words));
    return Commands.run(0, all.toArray(String[]::new));
  }

  private Commands.Said relayed(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--relay", server.harpUrl().orElseThrow().toString(), "--api-key", key));
    return harp(all.toArray(String[]::new));
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
  private void exchange() throws IOException {
    Files.writeString(directory.resolve("passphrase"), "a long passphrase\n");
    Commands.Said device =
        harp(
            "keys",
            "create",
            path("phone.keys"),
            "--passphrase-file",
            path("passphrase"),
            "--json");
    Files.writeString(directory.resolve("phone.json"), device.out());
    Files.writeString(
        directory.resolve("action.json"), "{\"command\":\"" + MARKER + "\",\"salt\":\"c2FsdA\"}");
    harp("parties", "create", "phone", "--url", server.url().toString(), "--api-key", key);
    harp(
        "artifact",
        "--type",
        "command.review",
        "--payload",
        path("action.json"),
        "--out",
        path("a.json"),
        "--for",
        path("phone.json"),
        "--sealed",
        path("sealed.json"));
    relayed("submit", "--enforcer", "ci", "--artifact", path("sealed.json"), "--label", LABEL);
    String inbox = relayed("inbox", "--approver", "phone").out();
    assertThat(inbox).contains(LABEL);
    Commands.Said decided =
        relayed(
            "approve",
            "--keys",
            path("phone.keys"),
            "--passphrase-file",
            path("passphrase"),
            "--approver",
            "phone",
            "--request",
            inbox.split(" ", 2)[0],
            "--yes");
    assertThat(decided.err()).contains(MARKER);
    relayed(
        "submit",
        "--enforcer",
        "ci",
        "--artifact",
        path("sealed.json"),
        "--wait",
        "30s",
        "--out",
        path("d.json"));
    assertThat(
            harp(
                    "enforce",
                    "--trusted",
                    path("phone.json"),
                    "--artifact",
                    path("a.json"),
                    "--decision",
                    path("d.json"))
                .out())
        .contains("allow");
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

package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.audit.StoredBytes;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.demo.ServerProcess;
import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.audit.Marker;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a relay that runs alone in a process has of a payload: in its memory, its rows, its files
 * and its log. What it may see is looked for in each in the same way, and found.
 */
@Tag("slow")
final class ZeroKnowledgeIT {
  private static final String SECRET = "what-nobody-but-the-device-may-see";
  private static final String LABEL = "what-the-relay-may-see";

  /** What the relay logs of each request. */
  private static final String LOGGED = "/v1/artifacts";

  private static final int WINDOW = 1 << 20;

  /** Longer than each form of a marker. */
  private static final int OVERLAP = 4 << 10;

  private static final List<Marker> SECRETS =
      List.of(
          new Marker("the payload", SECRET),
          new Marker("the payload in UTF-16", SECRET.getBytes(StandardCharsets.UTF_16LE)));

  @TempDir private Path directory;
  private ServerProcess server;
  private String key;

  @BeforeEach
  void start() throws IOException {
    Path keyFile = directory.resolve("api.key");
    server =
        ServerProcess.start(
            BuiltBridle.java(),
            log(),
            "harp-gateway",
            List.of(
                "--data-dir",
                path("data"),
                "--api-key-file",
                keyFile.toString(),
                "--admin-port",
                "0",
                "--grpc-port",
                "0",
                "--harp-port",
                "0",
                "--log-level",
                "debug"));
    key = Files.readString(keyFile).strip();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Path log() {
    return directory.resolve("relay.log");
  }

  private Path data() {
    return directory.resolve("data");
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
  void aPayloadIsInNoByteOfTheRelaysMemoryRowsFilesAndLog() throws Exception {
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
    assertThat(has(heap, new Marker("the label", LABEL))).isTrue();
    assertHasNoSecret(heap);

    // The store writes its log before its tables, which alone are compressed.
    boolean found = false;
    for (Path file : files()) {
      found |= has(file, new Marker("the label", LABEL));
      assertHasNoSecret(file);
    }
    assertThat(found).as("the label is found in the files").isTrue();

    assertThat(server.stop()).isEqualTo(ExitCodes.DONE);
    assertThat(has(log(), new Marker("a logged path", LOGGED))).isTrue();
    assertHasNoSecret(log());
    files().forEach(ZeroKnowledgeIT::assertHasNoSecret);
    try (EmbeddedStore store = EmbeddedStore.open(data(), EmbeddedOptions.DEFAULT)) {
      byte[] rows = StoredBytes.of(store);
      assertThat(new Marker("the label", LABEL).formIn(rows)).isPresent();
      assertThat(SECRETS).noneMatch(secret -> secret.formIn(rows).isPresent());
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(data())) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static void assertHasNoSecret(Path file) {
    for (Marker secret : SECRETS) {
      assertThat(has(file, secret)).as("%s in %s", secret, file).isFalse();
    }
  }

  /** Asks for a decision, decides and delivers it. */
  private void exchange() {
    HarpFolder folder = new HarpFolder(directory);
    folder.createDevice("phone");
    HarpFolder.harp(
        0, "parties", "create", "phone", "--url", server.url().toString(), "--api-key", key);
    String request =
        folder.createArtifact("a", "{\"command\":\"" + SECRET + "\",\"salt\":\"c2FsdA\"}", "phone");
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
    assertThat(decided.err()).contains(SECRET);
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

  /** Returns whether a file has a text in one of its forms. */
  private static boolean has(Path file, Marker wanted) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), WINDOW)) {
      byte[] window = new byte[WINDOW];
      int kept = 0;
      int read;
      while ((read = in.read(window, kept, window.length - kept)) > 0) {
        int filled = kept + read;
        if (wanted.formIn(Arrays.copyOf(window, filled)).isPresent()) {
          return true;
        }
        kept = Math.min(OVERLAP, filled);
        System.arraycopy(window, filled - kept, window, 0, kept);
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that were written once, as clients in Go, C# and Rust write them, and stay as they are. */
final class HarpSamplesIT {
  private static final Path SAMPLES = Path.of("..", "fixtures", "harp", "samples");

  @TempDir private Path directory;
  private HarpFolder folder;

  @BeforeEach
  void copySamples() throws IOException {
    folder = new HarpFolder(directory);
    folder.write("passphrase", "a long passphrase\n");
    try (Stream<Path> samples = Files.list(SAMPLES)) {
      for (Path sample : samples.toList()) {
        Files.copy(sample, directory.resolve(sample.getFileName().toString()));
      }
    }
    Files.setPosixFilePermissions(
        directory.resolve("phone.keys"), PosixFilePermissions.fromString("rw-------"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"go", "csharp", "rust"})
  void anArtifactThatWasSealedThenIsOpenedAndDecidedNow(String client) {
    String shown =
        folder
            .decide(
                0,
                "approve",
                "phone",
                List.of(
                    "--artifact",
                    folder.path(client + ".sealed.json"),
                    "--out",
                    folder.path("d.json")))
            .err();

    assertThat(shown).contains("echo <a> & ").contains("-2");
    assertThat(folder.enforce(0, "phone", client + ".json", "d.json").out()).startsWith("allow");
  }

  @ParameterizedTest
  @ValueSource(strings = {"go", "csharp", "rust"})
  void aDecisionThatWasSignedThenIsVerifiedNow(String client) {
    String decision = client + "-decision.json";

    assertThat(folder.enforce(0, client + "-device", client + "-asked.json", decision).out())
        .startsWith("allow, signed by ma-key-1");
    assertThat(folder.enforce(1, "phone", client + "-asked.json", decision).out())
        .contains("HARP_ERR_");
  }
}

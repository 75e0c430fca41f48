package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of clients in Node and Python that share no code with this one, in both directions, written
 * as known clients in Node, Go, C# and Python write them.
 */
@Tag("slow")
final class HarpOtherClientIT {
  private static final Path SCRIPTS =
      Path.of("..", "fixtures", "harp").toAbsolutePath().normalize();
  private static final String PAYLOAD =
      "{\"salt\":\"pX0f1w\",\"command\":\"echo <a> & \\u2028 b\",\"lines\":[1,-2,0]}";

  @TempDir private Path directory;
  private HarpFolder folder;

  /** Skips a test whose client can't run here, and says so. */
  private static void require(String profile) throws Exception {
    List<String> probe =
        profile.equals("python")
            ? List.of("python3", "-c", "import cryptography")
            : List.of(
                "node", "-e", "process.exit(+process.versions.node.split('.')[0] < 20 ? 1 : 0)");
    boolean there = false;
    try {
      there = start(Path.of("."), probe).code() == 0;
    } catch (IOException none) {
      // There is no program of that name.
    }
    if (!there) {
      System.out.println(
          "Skipped: HarpOtherClientIT needs Node.js 20 or later, and Python 3 with 'cryptography'.");
    }
    assumeTrue(there, "the client of " + profile + " can't run here");
  }

  @BeforeEach
  void createFolder() {
    folder = new HarpFolder(directory);
    folder.write("action.json", PAYLOAD);
  }

  private record Ran(int code, String out) {}

  private static Ran start(Path directory, List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Ran(process.exitValue(), out.strip());
  }

  private Ran client(String profile, int code, String... words) throws Exception {
    boolean python = profile.equals("python");
    List<String> command = new ArrayList<>();
    command.add(python ? "python3" : "node");
    command.add(SCRIPTS.resolve(python ? "harp.py" : "harp.mjs").toString());
    command.addAll(List.of(words));
    Ran ran = start(directory, command);
    assertThat(ran.code()).as(ran.out()).isEqualTo(code);
    return ran;
  }

  @ParameterizedTest
  @ValueSource(strings = {"node", "go", "csharp", "python"})
  void whatAnotherEnforcerSealsIsOpenedAndDecided(String profile) throws Exception {
    require(profile);
    folder.createDevice("phone");
    client(profile, 0, "seal", "phone.json", "action.json", "a", profile);

    String shown =
        folder
            .decide(
                0,
                "approve",
                "phone",
                List.of("--artifact", folder.path("a.sealed.json"), "--out", folder.path("d.json")))
            .err();

    assertThat(shown).contains("echo <a> & ");
    assertThat(client(profile, 0, "verify", "phone.json", "a.json", "d.json").out())
        .isEqualTo("allow");
    client(profile, 0, "seal", "phone.json", "action.json", "other", profile);
    assertThat(client(profile, 1, "verify", "phone.json", "other.json", "d.json").out())
        .isEqualTo("not valid");
  }

  @ParameterizedTest
  @CsvSource({
    "node, allow, 0, allow",
    "go, approve, 0, allow",
    "csharp, deny, 2, deny",
    "csharp, reject, 2, deny",
    "python, allow, 0, allow",
    "python, reject, 2, deny"
  })
  void whatAnotherDeviceDecidesIsVerified(String profile, String word, int code, String decision)
      throws Exception {
    require(profile);
    client(profile, 0, "device", "phone.json");
    var unused = folder.createArtifact("a", PAYLOAD, "phone");

    client(profile, 0, "decide", "phone.json", "a.sealed.json", "d.json", word, profile);

    assertThat(folder.enforce(code, "phone", "a.json", "d.json").out())
        .startsWith(decision + ", signed by ma-key-1");
    client(profile, 0, "device", "thief.json");
    assertThat(folder.enforce(1, "thief", "a.json", "d.json").out())
        .contains("HARP_ERR_SIGNATURE_INVALID");
  }
}

package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of a client in Node that shares no code with this one, in both directions, written as known
 * clients in Node, Go and C# write them.
 */
final class HarpOtherClientIT {
  private static final Path SCRIPT =
      Path.of("..", "fixtures", "harp", "harp.mjs").toAbsolutePath().normalize();
  private static final String PAYLOAD =
      "{\"salt\":\"pX0f1w\",\"command\":\"echo <a> & \\u2028 b\",\"lines\":[1,-2,0]}";

  @TempDir private Path directory;
  private HarpFolder folder;

  @BeforeAll
  static void requireNode() throws Exception {
    boolean there = false;
    try {
      there =
          node(
                      Path.of("."),
                      "-e",
                      "process.exit(+process.versions.node.split('.')[0] < 20 ? 1 : 0)")
                  .code()
              == 0;
    } catch (IOException none) {
      // There is no program of that name.
    }
    if (!there) {
      System.out.println("Skipped: HarpOtherClientIT needs Node.js 20 or later.");
    }
    assumeTrue(there, "there is no Node.js 20 or later");
  }

  @BeforeEach
  void createFolder() {
    folder = new HarpFolder(directory);
    folder.write("action.json", PAYLOAD);
  }

  private record Ran(int code, String out) {}

  private static Ran node(Path directory, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Ran(process.exitValue(), out.strip());
  }

  private Ran client(int code, String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(SCRIPT.toString()));
    all.addAll(List.of(words));
    Ran ran = node(directory, all.toArray(String[]::new));
    assertThat(ran.code()).as(ran.out()).isEqualTo(code);
    return ran;
  }

  @ParameterizedTest
  @ValueSource(strings = {"node", "go", "csharp"})
  void whatAnotherEnforcerSealsIsOpenedAndDecided(String profile) throws Exception {
    folder.createDevice("phone");
    client(0, "seal", "phone.json", "action.json", "a", profile);

    String shown =
        folder
            .decide(
                0,
                "approve",
                "phone",
                List.of("--artifact", folder.path("a.sealed.json"), "--out", folder.path("d.json")))
            .err();

    assertThat(shown).contains("echo <a> & ");
    assertThat(client(0, "verify", "phone.json", "a.json", "d.json").out()).isEqualTo("allow");
    client(0, "seal", "phone.json", "action.json", "other", profile);
    assertThat(client(1, "verify", "phone.json", "other.json", "d.json").out())
        .isEqualTo("not valid");
  }

  @ParameterizedTest
  @CsvSource({
    "node, allow, 0, allow",
    "go, approve, 0, allow",
    "csharp, deny, 2, deny",
    "csharp, reject, 2, deny"
  })
  void whatAnotherDeviceDecidesIsVerified(String profile, String word, int code, String decision)
      throws Exception {
    client(0, "device", "phone.json");
    var unused = folder.createArtifact("a", PAYLOAD, "phone");

    client(0, "decide", "phone.json", "a.sealed.json", "d.json", word, profile);

    assertThat(folder.enforce(code, "phone", "a.json", "d.json").out())
        .startsWith(decision + ", signed by ma-key-1");
    client(0, "device", "thief.json");
    assertThat(folder.enforce(1, "thief", "a.json", "d.json").out())
        .contains("HARP_ERR_SIGNATURE_INVALID");
  }
}

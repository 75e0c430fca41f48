package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where used decisions are remembered. */
final class UsedDecisionsTest {
  private static final String USER = System.getProperty("user.home");

  private static String byDefault(String system, Map<String, String> environment) {
    return UsedDecisions.byDefault(environment, system).toString();
  }

  @Test
  void theFolderIsThatOfTheUsersState() {
    assertThat(byDefault("Linux", Map.of("XDG_STATE_HOME", "/state", "HOME", "/home/ada")))
        .isEqualTo("/state/bridle/enforced.jsonl");
    assertThat(byDefault("Mac OS X", Map.of("HOME", "/home/ada")))
        .isEqualTo("/home/ada/.local/state/bridle/enforced.jsonl");
    assertThat(byDefault("Linux", Map.of()))
        .isEqualTo(USER + "/.local/state/bridle/enforced.jsonl");
    assertThat(byDefault("Windows 11", Map.of("LOCALAPPDATA", "/local", "HOME", "/home/ada")))
        .isEqualTo("/local/bridle/enforced.jsonl");
    assertThat(byDefault("Windows 11", Map.of("XDG_STATE_HOME", "/state")))
        .isEqualTo(USER + "/AppData/Local/bridle/enforced.jsonl");
  }

  /** One that depends on where the command runs would be another record each time. */
  @Test
  void aFolderThatIsNotAbsoluteIsNotUsed() {
    assertThat(byDefault("Linux", Map.of("XDG_STATE_HOME", "state", "HOME", "")))
        .isEqualTo(USER + "/.local/state/bridle/enforced.jsonl");
  }

  @Test
  void theDefaultFolderIsMadeAndANamedOneIsNot(@TempDir Path directory) {
    var unused =
        new UsedDecisions(
            Optional.empty(), Map.of("XDG_STATE_HOME", directory.resolve("state").toString()));
    assertThat(directory.resolve("state").resolve("bridle")).isDirectory();

    var other =
        new UsedDecisions(Optional.of(directory.resolve("named").resolve("used.jsonl")), Map.of());
    assertThat(other).isNotNull();
    assertThat(directory.resolve("named")).doesNotExist();
  }
}

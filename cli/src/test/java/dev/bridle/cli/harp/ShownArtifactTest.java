package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.Style;
import dev.bridle.cli.console.StyledLine;
import dev.bridle.fixtures.client.Json;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.error.HarpException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees of an artifact before they sign a decision about it. */
final class ShownArtifactTest {
  private static final String DIFF =
      String.join(
          "\n",
          "diff --git a/src/A.java b/src/A.java",
          "--- a/src/A.java",
          "+++ b/src/A.java",
          "@@ -1,3 +1,3 @@ class A",
          " one",
          "--- two",
          "+++ 2",
          " three",
          "@@ -9 +9,2 @@",
          "-nine",
          "+ninth",
          "+tenth",
          "\\ No newline at end of file",
          "diff --git a/new.sh b/new.sh",
          "new file mode 100755",
          "--- /dev/null",
          "+++ b/new.sh",
          "@@ -0,0 +1 @@",
          "+rm -rf /",
          "");

  private static List<StyledLine> styled(String type, ObjectNode payload) {
    try {
      return ShownArtifact.lines(artifact(type, payload));
    } catch (HarpException e) {
      throw new AssertionError(e);
    }
  }

  private static Artifact artifact(String type, ObjectNode payload) throws HarpException {
    return Artifact.create(
        new Artifact.About(
            "r1",
            type,
            "repo:a",
            Instant.parse("2026-11-25T10:00:00Z"),
            Instant.parse("2026-11-25T11:00:00Z"),
            Optional.of("session-1")),
        payload);
  }

  private static List<String> shown(String type, ObjectNode payload) {
    return styled(type, payload).stream().map(StyledLine::text).toList();
  }

  private static ObjectNode patch(String name, String diff) {
    return Json.object().put(name, diff);
  }

  @Test
  void aDiffNamesItsFilesAndCountsWhatIsAddedAndRemoved() {
    assertThat(shown("patch.review", patch("diff", DIFF)))
        .startsWith("patch.review r1", "in repo:a", "until 2026-11-25T11:00:00Z")
        .containsSubsequence(
            "  diff: 19 lines; a unified diff of 2 files, +4 -2",
            "    src/A.java  +3 -2",
            "    new file b/new.sh  +1 -0",
            "    │ diff --git a/src/A.java b/src/A.java");
  }

  @Test
  void eachLineOfADiffIsShownAsWhatItIs() {
    List<StyledLine> lines = styled("patch.review", patch("changes", DIFF));

    assertThat(lines)
        .contains(
            new StyledLine(Style.HEADING, "    │ --- a/src/A.java"),
            new StyledLine(Style.POSITION, "    │ @@ -1,3 +1,3 @@ class A"),
            new StyledLine(Style.REMOVED, "    │ --- two"),
            new StyledLine(Style.ADDED, "    │ +++ 2"),
            new StyledLine(Style.PLAIN, "    │  three"),
            new StyledLine(Style.REMOVED, "    │ -nine"),
            new StyledLine(Style.PLAIN, "    │ new file mode 100755"),
            new StyledLine(Style.ADDED, "    │ +rm -rf /"));
    assertThat(lines.stream().filter(line -> line.text().startsWith("    │ ")).count())
        .as("nothing of the diff is left out")
        .isEqualTo(19);
  }

  @Test
  void aDiffIsShownAsSuchInEachKindOfArtifactAndPlace() {
    ObjectNode payload = Json.object();
    payload.putArray("edits").addObject().put("patch", DIFF).put("path", "src");

    assertThat(shown("task.review", payload))
        .contains(
            "  edits[0].patch: 19 lines; a unified diff of 2 files, +4 -2", "  edits[0].path: src");
    assertThat(shown("task.review", patch("text", DIFF))).contains("  text: 19 lines");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n+three\n",
        "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-one\n+two\n",
        "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n@@ more\n",
        "--- a\n+++ b\n@@ -1 +1 @@\n-one\n?two\n",
        "--- a\n+++ b\n@@ -1 +1 @@\r-one\n+two\n",
        "@@ -1 +1 @@\n-one\n+two\n",
        "+one\n--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n",
        "just\na text\n"
      })
  void whatOnlyLooksLikeADiffIsShownAsATextAndNothingIsCounted(String text) {
    List<StyledLine> lines = styled("patch.review", patch("diff", text));

    assertThat(lines)
        .allSatisfy(line -> assertThat(line.style()).isEqualTo(Style.PLAIN))
        .anySatisfy(
            line -> assertThat(line.text()).endsWith("; not a unified diff: read it as a text"));
    assertThat(lines.stream().filter(line -> line.text().startsWith("    │ ")).count())
        .isEqualTo(text.split("\n").length);
  }

  @Test
  void aHostileDiffReachesNoTerminal() {
    String hostile =
        "--- a/\u001b[2Jx\n+++ b/\u202ey\n@@ -1 +1,2 @@ \u009b0m\n-a\r\u001b[A\n+b\u200b\n+"
            + " ".repeat(300)
            + "rm\n";

    List<String> lines = shown("patch.review", patch("diff\u001b[1m", hostile));

    assertThat(lines)
        .noneMatch(
            line ->
                line.codePoints().anyMatch(c -> c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x202e))
        .contains(
            "  diff⟨U+001B⟩[1m: 6 lines; a unified diff of 1 file, +2 -1",
            "    a/⟨U+001B⟩[2Jx to b/⟨U+202E⟩y  +2 -1",
            "    │ @@ -1 +1,2 @@ ⟨U+009B⟩0m",
            "    │ -a⟨U+000D⟩⟨U+001B⟩[A",
            "    │ +b⟨U+200B⟩",
            "    │ +⟨300 blanks⟩rm");
  }

  @Test
  void aCommandIsShownWithItsArgumentsOneForOneAndWhereItRuns() {
    ObjectNode payload = Json.object().put("salt", "c2FsdA").put("cwd", "/srv/app");
    payload.putObject("env").put("PATH", "/bin").putObject("nested").putArray("none");
    payload.putArray("args").add("-c").add("a  b ").add("").add("x\ny\u001b").add(5);
    payload.put("command", "sh");

    List<String> lines = shown("command.review", payload);

    assertThat(lines)
        .containsExactly(
            "command.review r1",
            "in repo:a",
            "until 2026-11-25T11:00:00Z",
            "  command: sh",
            "  args[0]: \"-c\"",
            "  args[1]: \"a  b \"",
            "  args[2]: \"\"",
            "  args[3]: 2 lines, without a line break at the end",
            "    │ x",
            "    │ y⟨U+001B⟩",
            "  args[4]: 5",
            "  cwd: /srv/app",
            "  env.PATH: /bin",
            "  env.nested.none: []",
            "  salt: c2FsdA",
            "beside it, sessionId: session-1",
            lines.get(lines.size() - 1));
    assertThat(lines.get(lines.size() - 1)).startsWith("hash ");
  }

  @Test
  void blanksAroundATextAreSeen() {
    assertThat(
            shown(
                "command.review",
                Json.object().put("command", "rm x ").put("cwd", "").put("note", "\"a\"")))
        .contains("  command: \"rm x \"", "  cwd: \"\"", "  note: \"\\\"a\\\"\"");
  }

  @Test
  void whateverTheHashCoversBesideThePayloadIsShown() throws HarpException {
    ObjectNode json = artifact("plan.review", Json.object().put("plan", "go")).json().deepCopy();
    json.put("baseRevision", "abc\u001b");
    json.putObject("metadata").put("hidden", "x");
    json.putObject("extensions").put("org.example", true);

    assertThat(ShownArtifact.lines(Artifact.of(json)))
        .extracting(StyledLine::text)
        .contains(
            "beside it, baseRevision: abc⟨U+001B⟩",
            "beside it, metadata: {\"hidden\":\"x\"}",
            "beside it, extensions: {\"org.example\":true}");
  }

  @Test
  void whatIsNestedWithoutEndIsShownAsJson() {
    ObjectNode payload = Json.object();
    ObjectNode in = payload;
    for (String name : Collections.nCopies(40, "a")) {
      in = in.putObject(name);
    }
    in.put("command", "rm\u001b");

    assertThat(shown("plan.review", payload))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("  a.a.a.a.a.a.a.a.a: {\"a\":{")
                    .contains("{\"command\":\"rm\\u001B\"}"));
  }
}

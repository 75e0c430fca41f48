package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.process.BuiltBridle;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A decision lets one action through. */
final class HarpOnceIT {
  private static final String ACTION = "{\"command\":\"make deploy\",\"salt\":\"c2FsdA\"}";

  @TempDir private Path directory;

  private HarpFolder folder;

  @BeforeEach
  void decide() {
    folder = new HarpFolder(directory);
    folder.createDevice("phone");
    decide("a", "yes.json");
  }

  private void decide(String artifact, String decision) {
    var unused = folder.createArtifact(artifact, ACTION, "phone");
    sign("approve", artifact, decision);
  }

  private void sign(String word, String artifact, String decision) {
    folder.decide(
        0,
        word,
        "phone",
        List.of("--artifact", folder.path(artifact + ".json"), "--out", folder.path(decision)));
  }

  private Commands.Said enforce(int exitCode, String artifact, String decision) {
    return folder.enforce(exitCode, "phone", artifact + ".json", decision);
  }

  private List<String> words(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "harp",
                "enforce",
                "--trusted",
                folder.path("phone.json"),
                "--artifact",
                folder.path("a.json"),
                "--decision",
                folder.path("yes.json")));
    words.addAll(List.of(more));
    return words;
  }

  @Test
  void oneDecisionActsOnce() throws IOException {
    assertThat(enforce(0, "a", "yes.json").out()).startsWith("allow, signed by ");
    for (int again = 0; again < 2; again++) {
      assertThat(enforce(1, "a", "yes.json").out())
          .startsWith("not valid: HARP_ERR_REPLAY: The decision was used before, at ")
          .contains("ask again, with a new artifact");
    }
    List<String> json = words("--json", "--once", folder.path("enforced.jsonl"));
    assertThat(Json.parse(Commands.run(1, json.toArray(String[]::new)).out()))
        .isEqualTo(Json.parse("{\"valid\":false,\"code\":\"HARP_ERR_REPLAY\"}"));
    sign("approve", "a", "second.json");
    assertThat(enforce(1, "a", "second.json").out()).contains("HARP_ERR_REPLAY: The request has");

    assertThat(folder.read("enforced.jsonl").lines()).hasSize(1);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("enforced.jsonl"))))
        .isEqualTo("rw-------");
  }

  /** What was denied stays denied, whatever is signed later. */
  @Test
  void aRequestIsDecidedOnce() {
    sign("reject", "a", "no.json");
    assertThat(enforce(2, "a", "no.json").out()).startsWith("deny, signed by ");

    assertThat(enforce(1, "a", "yes.json").out()).contains("HARP_ERR_REPLAY");
  }

  @Test
  void aDecisionThatIsNotValidIsNotUsed() throws IOException {
    folder.createDevice("thief");
    assertThat(folder.enforce(1, "thief", "a.json", "yes.json").out())
        .contains("HARP_ERR_SIGNATURE_INVALID");

    assertThat(directory.resolve("enforced.jsonl")).doesNotExist();
    enforce(0, "a", "yes.json");
  }

  @Test
  void aRecordThatIsCutOffGoesOnAndADamagedOneIsRefused() throws IOException {
    enforce(0, "a", "yes.json");
    String whole = folder.read("enforced.jsonl");
    folder.write("enforced.jsonl", whole + whole.substring(0, 100));
    assertThat(enforce(1, "a", "yes.json").out()).contains("HARP_ERR_REPLAY");
    decide("b", "b.yes.json");
    enforce(0, "b", "b.yes.json");
    assertThat(folder.read("enforced.jsonl")).startsWith(whole);

    folder.write("enforced.jsonl", whole.replaceFirst("[0-9a-f]{64}", "0".repeat(64)));
    assertThat(enforce(1, "a", "yes.json").err())
        .contains("is damaged: line 1 is not as it was written", "Move the file away once");
  }

  @Test
  void withoutAFolderForTheRecordNothingIsDone() throws IOException {
    Path file = directory.resolve("none").resolve("enforced.jsonl");
    String[] words = words("--once", file.toString()).toArray(String[]::new);

    Commands.Said said = Commands.run(1, words);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).contains(file + " can't be used", "Name a file in a folder");

    Files.createDirectory(file.getParent());
    assertThat(Commands.run(0, words).out()).contains("allow");
  }

  @Tag("slow")
  @Test
  void ofProcessesAtOnceOneMayAct() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ProcessBuilder process =
          new ProcessBuilder(BuiltBridle.java().bridle(words()))
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("out" + i).toFile());
      process.environment().put("XDG_STATE_HOME", folder.path("state"));
      processes.add(process.start());
    }
    List<Integer> codes = new ArrayList<>();
    for (Process process : processes) {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      codes.add(process.exitValue());
    }

    assertThat(codes).containsExactlyInAnyOrder(0, 1, 1, 1);
    for (int i = 0; i < 4; i++) {
      assertThat(folder.read("out" + i))
          .contains(codes.get(i) == 0 ? "allow, signed by" : "HARP_ERR_REPLAY");
    }
    Path made = directory.resolve("state").resolve("bridle");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwx------");
    assertThat(Files.readAllLines(made.resolve("enforced.jsonl"))).hasSize(1);
  }

  /** Whether it was killed before its exit or not, nobody may act after it. */
  @Tag("slow")
  @Test
  void aDecisionWhoseProcessIsKilledOnceItIsRecordedIsUsed() throws Exception {
    Process process =
        new ProcessBuilder(
                BuiltBridle.java().bridle(words("--once", folder.path("enforced.jsonl"))))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out").toFile())
            .start();
    await()
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofMinutes(5))
        .until(() -> Files.exists(directory.resolve("enforced.jsonl")));
    process.destroyForcibly().waitFor();

    assertThat(enforce(1, "a", "yes.json").out()).contains("HARP_ERR_REPLAY");
  }
}

package dev.bridle.cli.harp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An enforcer and an approver who exchange files. */
final class HarpFilesIT {
  private static final String ACTION =
      "{\"command\":\"make deploy\\n\\u001b[2J\\u202eecho hi\",\"salt\":\"c2FsdA\"}";

  @TempDir private static Path directory;

  private static HarpFolder folder;

  private static String path(String name) {
    return folder.path(name);
  }

  private static Commands.Said run(int exitCode, String... words) {
    return HarpFolder.harp(exitCode, words);
  }

  @BeforeAll
  static void createDevices() {
    folder = new HarpFolder(directory);
    folder.write("wrong", "another one\n");
    folder.createDevice("phone");
    folder.createDevice("thief");
  }

  private static void make(String name) {
    var unused = folder.createArtifact(name, ACTION, "phone");
  }

  private static void decide(String word, String device, String artifact, String decision) {
    folder.decide(0, word, device, List.of("--artifact", path(artifact), "--out", path(decision)));
  }

  private static Commands.Said enforce(int exitCode, String artifact, String decision) {
    return folder.enforce(exitCode, "phone", artifact, decision);
  }

  @Test
  void aDecisionTravelsBackAndDecides() throws IOException {
    make("a");
    assertThat(Files.readString(directory.resolve("a.sealed.json"))).doesNotContain("deploy");

    decide("approve", "phone", "a.sealed.json", "yes.json");
    assertThat(enforce(0, "a.json", "yes.json").out()).startsWith("allow, signed by ");
    make("refused");
    decide("reject", "phone", "refused.sealed.json", "no.json");
    assertThat(enforce(2, "refused.json", "no.json").out()).startsWith("deny, signed by ");
  }

  @Tag("slow")
  @Test
  void whatIsShownCannotActOnTheTerminal() {
    make("shown");

    String shown =
        run(
                0,
                "show",
                "--keys",
                path("phone.keys"),
                "--passphrase-file",
                path("passphrase"),
                "--artifact",
                path("shown.sealed.json"))
            .out();
    assertThat(shown)
        .contains(
            "command.review", "  command:", "  │ make deploy", "  salt: c2FsdA", "until ", "hash ")
        .doesNotContain("\u001b", "\u202e");
  }

  @Test
  void onlyATrustedKeyAndTheSameArtifactCount() throws IOException {
    make("b");
    make("c");
    decide("approve", "thief", "b.json", "stolen.json");
    assertThat(enforce(1, "b.json", "stolen.json").out()).contains("HARP_ERR_SIGNATURE_INVALID");

    decide("approve", "phone", "b.sealed.json", "b.yes.json");
    assertThat(enforce(1, "c.json", "b.yes.json").out()).contains("HARP_ERR_POLICY_DENY");

    ObjectNode turned = (ObjectNode) Json.parse(Files.readString(directory.resolve("b.yes.json")));
    Files.writeString(directory.resolve("turned.json"), turned.put("decision", "deny").toString());
    assertThat(enforce(1, "b.json", "turned.json").out()).contains("HARP_ERR_SIGNATURE_INVALID");

    ObjectNode other = (ObjectNode) Json.parse(Files.readString(directory.resolve("b.json")));
    ((ObjectNode) other.get("payload")).put("command", "rm -rf /");
    Files.writeString(directory.resolve("other.json"), other.toString());
    assertThat(enforce(1, "other.json", "b.yes.json").err()).contains("HARP_ERR_HASH_MISMATCH");
  }

  @Tag("slow")
  @Test
  void nobodyDecidesForWhatIsSealedForAnotherDevice() {
    make("d");

    assertThat(
            run(
                    1,
                    "show",
                    "--keys",
                    path("thief.keys"),
                    "--passphrase-file",
                    path("passphrase"),
                    "--artifact",
                    path("d.sealed.json"))
                .err())
        .contains("HARP_ERR_HASH_MISMATCH");
    assertThat(
            run(
                    1,
                    "show",
                    "--keys",
                    path("phone.keys"),
                    "--passphrase-file",
                    path("wrong"),
                    "--artifact",
                    path("d.sealed.json"))
                .err())
        .contains("passphrase");
  }

  @Tag("slow")
  @Test
  void withoutATerminalNothingIsSignedUnsaid() {
    make("e");

    assertThat(
            run(
                    2,
                    "approve",
                    "--keys",
                    path("phone.keys"),
                    "--passphrase-file",
                    path("passphrase"),
                    "--artifact",
                    path("e.json"))
                .err())
        .contains("--yes is required");
  }

  @Test
  void keysAreTheirOwnersAndAreNotReplaced() throws IOException {
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("phone.keys"))))
        .isEqualTo("rw-------");
    assertThat(
            run(2, "keys", "create", path("phone.keys"), "--passphrase-file", path("passphrase"))
                .err())
        .contains("already exists");
    JsonNode shown = Json.parse(run(0, "keys", "show", path("phone.keys"), "--json").out());
    assertThat(shown).isEqualTo(Json.parse(Files.readString(directory.resolve("phone.json"))));
  }
}

package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.harp.HarpFolder;
import dev.bridle.cli.process.Commands;
import dev.bridle.fixtures.client.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose questions only a device of a person answers, by its signature. */
@Tag("slow")
final class AnswerOnDeviceIT {
  private static final Pattern LINK = Pattern.compile("#(harp-pair:[^\\s]+)");

  @TempDir private Path directory;
  private ScriptedProject project;
  private HarpFolder device;

  @BeforeEach
  void make() throws IOException {
    project = ScriptedProject.in(directory);
    device = new HarpFolder(directory);
  }

  @AfterEach
  void stop() throws IOException {
    project.stopServer();
  }

  @Test
  void onlyTheSignatureOfAnEnrolledDeviceLetsTheAgentAct() throws Exception {
    assertThat(run().err()).contains("No device may answer yet", "harp enrol phone.json");
    enrol();

    try (AtTerminal terminal = project.atTerminal("--approve", "harp", "--prompt", "make it")) {
      terminal.expect("only a signature of a device answers it: ada (phone)");
      JsonNode asked = Json.parse(at(0, "permission", "list", "--json").out().strip());
      Commands.Said refused =
          at(ExitCodes.FAILED, "permission", "approve", asked.get("id").textValue());
      assertThat(refused.err()).contains("do not take answers to this request by this channel");
      assertThat(project.folder().resolve("it")).doesNotExist();
      decide(key());
      terminal.expect("│ made it");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(project.folder().resolve("it")).hasContent("made");
  }

  @Test
  void theFirstRunPairsAPhoneWhoseSignatureLetsTheAgentAct() throws Exception {
    device.createDevice("phone");
    try (AtTerminal terminal = project.atTerminal("--approve", "phone", "--prompt", "make it")) {
      terminal.expect("there and type");
      Matcher link = LINK.matcher(terminal.all());
      assertThat(link.find()).as("%s", terminal.all()).isTrue();
      var unused =
          HarpFolder.harp(
              0,
              "pair",
              "accept",
              link.group(1),
              "--approver",
              "phone",
              "--keys",
              device.path("phone.keys"),
              "--passphrase-file",
              device.path("passphrase"),
              "--token-out",
              device.path("phone.token"));
      terminal.expect("only a signature of a device answers it: ");
      decide(device.path("phone.token"));
      terminal.expect("│ made it");
      assertThat(terminal.exit()).as("%s", terminal.all()).isZero();
    }
    assertThat(project.folder().resolve("it")).hasContent("made");
  }

  private Commands.Said run() {
    return project.run(ExitCodes.USAGE, "--approve", "harp", "--prompt", "make it");
  }

  private void enrol() {
    device.createDevice("phone");
    var unused = at(0, "harp", "parties", "create", "phone");
    var unusedDevice =
        at(
            0,
            "harp",
            "enrol",
            device.path("phone.json"),
            "--principal",
            "ada",
            "--approver",
            "phone");
  }

  private Commands.Said at(int exitCode, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    try {
      all.addAll(List.of("--url", project.server().httpUrl(), "--api-key-file", key()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return Commands.run(exitCode, all.toArray(String[]::new));
  }

  private String key() {
    return project.data().resolve(DetachedServer.KEY_FILE).toString();
  }

  private void decide(String keyFile) throws IOException {
    List<String> relay =
        List.of("--relay", project.server().harpUrl().orElseThrow(), "--api-key-file", keyFile);
    List<String> inbox = new ArrayList<>(List.of("inbox", "--approver", "phone", "--json"));
    inbox.addAll(relay);
    String waiting =
        await()
            .until(
                () -> HarpFolder.harp(0, inbox.toArray(String[]::new)).out().strip(),
                said -> !said.isEmpty());
    List<String> more =
        new ArrayList<>(
            List.of(
                "--approver",
                "phone",
                "--request",
                Json.parse(waiting).get("requestId").textValue()));
    more.addAll(relay);
    var unused = device.decide(0, "approve", "phone", more);
  }
}

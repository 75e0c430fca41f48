package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Enrols a device, so that its signed decisions answer permission requests. */
@Command(
    name = "enrol",
    description = {
      "Enrol a device at a server: its signed decisions answer the requests for permission of all"
          + " tasks, as answers of a person. The server seals each request for the device, sends it"
          + " over its own relay or the one of --relay-name, and verifies what comes back.",
      "The file is the one that 'bridle harp pair offer' has written, since the pairing has verified"
          + " the keys; or that of 'bridle harp keys show --json', whose fingerprints you have"
          + " compared, with --approver. 'bridle approval-device revoke' ends it."
    },
    footer = {
      "%nExamples:",
      "  bridle harp enrol phone.json --principal ada",
      "  bridle harp enrol phone.json --principal ada --approver ada-phone",
      "  bridle harp enrol phone.json --principal ada --relay-name home"
    })
final class EnrolCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "FILE", description = "The device's public keys.")
  private Path file = Path.of("");

  @Option(
      names = "--principal",
      paramLabel = "ACTOR",
      required = true,
      description = "Whose answers its decisions are. All devices of an actor count once.")
  private String principal = "";

  @Option(
      names = "--approver",
      paramLabel = "ID",
      description = "The approver's id at the relay (default: the one of its pairing).")
  private Optional<String> approver = Optional.empty();

  @Option(
      names = "--relay-name",
      paramLabel = "NAME",
      description =
          "The relay elsewhere over which the device is asked, by its name in the server's"
              + " --harp-relays file (default: the server's own relay).")
  private Optional<String> relay = Optional.empty();

  @Option(names = "--json", description = "Print the device as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  EnrolCommand() {}

  @Override
  public void run() {
    ObjectNode device = HarpFiles.object(file);
    String id = approver.orElseGet(() -> device.path("approverId").asText(""));
    if (id.isEmpty()) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          file + " names no approver, since it is of no pairing; name one with --approver.");
    }
    ObjectNode enrolment =
        JsonLines.object()
            .put("principal", principal)
            .put("approver_id", id)
            .put("signer_key_id", device.path("signerKeyId").asText())
            .put("signing_key", device.path("signingKey").asText())
            .put("agreement_key", device.path("agreementKey").asText());
    if (device.path("opensExtensions").asBoolean()) {
      enrolment.put("opens_extensions", true);
    }
    relay.ifPresent(name -> enrolment.put("relay", name));
    JsonNode enrolled =
        server.connect().post("/v1/approval-devices", enrolment, UUID.randomUUID().toString());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        json
            ? enrolled.toString()
            : "Enrolled: "
                + enrolled.path("id").asText()
                + ", for "
                + ShownText.line(principal)
                + ", signing key "
                + device.path("signingKeyFingerprint").asText());
    out.flush();
  }
}

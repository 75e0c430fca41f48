package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.Confirmation;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.cli.console.SecretFile;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.console.TerminalWriter;
import dev.bridle.cli.qr.QrCode;
import dev.bridle.cli.qr.QrImage;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.pairing.PairingCode;
import dev.bridle.harp.pairing.PairingMacs;
import dev.bridle.harp.pairing.PairingOffer;
import dev.bridle.harp.pairing.PairingQr;
import dev.bridle.harp.pairing.PairingSecret;
import dev.bridle.harp.pairing.PairingTranscript;
import dev.bridle.harp.pairing.Possession;
import dev.bridle.harp.pairing.ShortCode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Offers a pairing as an enforcer, and verifies the device that accepts. */
@Command(
    name = "offer",
    description = {
      "Offer a pairing as an enforcer, wait for a device, verify it, and write its public keys.",
      "A device that scans the QR code (or is given its text) proves that it has the code's secret,"
          + " which the relay does not get. One where a person types the 8 characters shows a code"
          + " of 16, which is typed here: it is equal only if nobody came between.",
      "",
      "Exit codes: 0 the device is trusted; 1 nobody accepted, or it was not this device."
    },
    footer = {
      "%nExample:",
      "  bridle harp pair offer --enforcer ci --identity ci.identity --out phone.json"
    })
final class PairOfferCommand implements Runnable {
  private static final String MAC = "mac";

  @Spec private CommandSpec spec;
  @Mixin private EnforcerChoice enforcer;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      required = true,
      description = "The enforcer's own key, which is made if the file does not exist.")
  private Path identityFile = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "A new file for the device's public keys, as --trusted takes it.")
  private Path out = Path.of("");

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      description = "The enforcer's name, which the device shows (default: its id).")
  private Optional<String> label = Optional.empty();

  @Option(
      names = "--workspace",
      paramLabel = "TEXT",
      description = "The workspace's name, which the device shows (default: the enforcer's id).")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Also write the QR code to an image, which is removed at the end.")
  private Optional<Path> png = Optional.empty();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "10m",
      description = "Wait so long for a device (default: 10m, as long as an offer counts).")
  private Duration wait = Duration.ofMinutes(10);

  @Option(names = "--json", description = "Print lines of JSON: the offer, then the device.")
  private boolean json;

  /** Creates the command; called by picocli. */
  PairOfferCommand() {}

  @Override
  public void run() {
    SecretFile.requireAbsent(Optional.of(out));
    SecretFile.requireAbsent(png); // Before anything is begun.
    PairingClient client = new PairingClient(enforcer.relay().connect());
    byte[] identity = EnforcerIdentity.of(identityFile).publicKey();
    Optional<Sha256> pin = enforcer.relay().pin();
    String name = label.orElse(enforcer.id());
    String place = workspace.orElse(enforcer.id());
    PairingSecret secret = PairingSecret.create(new SecureRandom());
    PairingClient.Begun begun =
        client.initiate(enforcer.id(), name, place, Base64Url.encode(identity));
    String url = enforcer.relay().url().toString();
    PairingOffer offer =
        new PairingOffer(
            url, begun.nonce(), enforcer.id(), Base64Url.encode(identity), name, place);
    try (QrImage image = QrImage.at(png, spec.commandLine().getErr())) {
      show(image, begun, PairingQr.of(url, begun.nonce(), Sha256.of(identity), secret, pin).text());
      JsonNode completed = await(client, begun);
      PairingTranscript transcript = PairingTranscript.of(offer, PairingClient.device(completed));
      Optional<PairingMacs> macs =
          completed.has(MAC) ? Optional.of(PairingMacs.of(secret, transcript)) : Optional.empty();
      verify(transcript, completed, macs);
      trust(transcript, completed);
      macs.ifPresent(shared -> client.confirm(begun.nonce(), shared.enforcer()));
    } catch (HarpException e) {
      throw PairingClient.failed(e);
    }
  }

  private void show(QrImage image, PairingClient.Begun begun, String text) throws HarpException {
    PrintWriter shown = spec.commandLine().getOut();
    QrCode code = QrCode.of(text);
    image.write(code);
    String typed = PairingCode.parse(begun.code()).grouped();
    if (json) {
      shown.println(
          JsonLines.object()
              .put("text", text)
              .put("code", typed)
              .put("expiresAt", begun.expiresAt().toString()));
    } else {
      if (shown instanceof TerminalWriter) {
        code.lines().forEach(shown::println);
      }
      shown.println("Scan this, or on the device: bridle harp pair accept '" + text + "'");
      shown.println("Or type there:  --relay " + enforcer.relay().url() + "  --code " + typed);
    }
    shown.flush();
  }

  private JsonNode await(PairingClient client, PairingClient.Begun begun) {
    Instant asked = Instant.now().plus(wait);
    Instant end = asked.isBefore(begun.expiresAt()) ? asked : begun.expiresAt();
    return client
        .await(begun.nonce(), "approverId", end)
        .orElseThrow(() -> new CommandFailed(ExitCodes.FAILED, "No device has accepted in time."));
  }

  /** Verifies that the device holds its key, and that it is the one that was shown the offer. */
  private void verify(PairingTranscript transcript, JsonNode completed, Optional<PairingMacs> macs)
      throws HarpException {
    Possession.verify(transcript, PairingClient.bytes(completed, "possession"));
    if (macs.isPresent()) {
      macs.get().verifyApprover(PairingClient.bytes(completed, MAC));
    } else {
      String typed =
          Confirmation.line(
              spec,
              spec.commandLine().getOut(),
              "The code that the device "
                  + ShownText.line(transcript.device().approverId())
                  + " shows: ",
              "A device whose code was typed needs a terminal here: its own code is typed back.");
      ShortCode.parse(typed).verify(transcript);
    }
  }

  private void trust(PairingTranscript transcript, JsonNode completed) {
    var device = TrustedKeys.file(transcript, PairingClient.text(completed, "routingToken"));
    write(out, (device + "\n").getBytes(StandardCharsets.UTF_8));
    PrintWriter shown = spec.commandLine().getOut();
    shown.println(
        json
            ? device.toString()
            : "Trusted: "
                + ShownText.line(transcript.device().approverId())
                + ", signing key "
                + device.path("signingKeyFingerprint").asText());
    shown.flush();
  }

  private static void write(Path file, byte[] content) {
    try {
      PrivateFile.write(file.toAbsolutePath(), content);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The file " + file + " can't be written: " + e.getMessage(), e);
    }
  }
}

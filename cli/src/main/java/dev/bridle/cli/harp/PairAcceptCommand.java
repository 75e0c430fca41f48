package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.SecretFile;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.tls.Trust;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.harp.pairing.PairingMacs;
import dev.bridle.harp.pairing.PairingOffer;
import dev.bridle.harp.pairing.PairingQr;
import dev.bridle.harp.pairing.PairingTranscript;
import dev.bridle.harp.pairing.Possession;
import dev.bridle.harp.pairing.ShortCode;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Accepts a pairing as an approver's device. */
@Command(
    name = "accept",
    description = {
      "Accept an enforcer's pairing as a device, and store the device's token at the relay.",
      "Give the text of the QR code; or --relay and --code, and type the code that this command"
          + " prints at the enforcer. The approver's id must be new at the relay, unless the device"
          + " has its token from an earlier pairing."
    },
    footer = {
      "%nExamples:",
      "  bridle harp pair accept 'harp-pair:1?...' --approver phone --keys phone.keys"
          + " --token-out phone.token",
      "  bridle harp pair accept --relay https://relay.example --code ABCD-1234 --approver phone"
          + " --keys phone.keys --token-out phone.token",
      "  bridle harp watch --approver phone --api-key-file phone.token"
    })
final class PairAcceptCommand implements Runnable {
  private static final String CONFIRMATION = "confirmation";

  @Spec private CommandSpec spec;
  @Mixin private RelayChoice relay;
  @Mixin private KeyOptions keys;

  @Parameters(
      arity = "0..1",
      paramLabel = "TEXT",
      description = "The text of the QR code, which begins with harp-pair:.")
  private Optional<String> text = Optional.empty();

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description = "The 8 characters that the enforcer shows instead.")
  private Optional<String> code = Optional.empty();

  @Option(
      names = "--approver",
      paramLabel = "ID",
      required = true,
      description = "The device's id at the relay.")
  private String approver = "";

  @Option(
      names = "--token-out",
      paramLabel = "FILE",
      description =
          "A new file for the device's token, for --api-key-file. Without it, --api-key-file names"
              + " the token of an earlier pairing, and --relay the relay that it belongs to.")
  private Optional<Path> token = Optional.empty();

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "1m",
      description = "Wait so long for the enforcer's proof, with a QR code (default: 1m).")
  private Duration wait = Duration.ofMinutes(1);

  @Option(names = "--json", description = "Print a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  PairAcceptCommand() {}

  @Override
  public void run() {
    if (text.isPresent() == code.isPresent()) {
      throw new CommandFailed(
          ExitCodes.USAGE, "Give either the text of the QR code, or --relay and --code.");
    }
    SecretFile.requireAbsent(token);
    try {
      Optional<PairingQr> scanned =
          text.isPresent() ? Optional.of(PairingQr.parse(text.get())) : Optional.empty();
      PairingClient client = client(scanned, token.isPresent() ? "" : ownKey(scanned));
      DeviceKeys device = keys.open();
      PairingOffer offer = offer(client, scanned);
      accept(client, scanned, offer, device);
    } catch (HarpException e) {
      throw PairingClient.failed(e);
    }
  }

  /**
   * Returns the token of an earlier pairing, which is sent to the relay that it belongs to only.
   */
  private String ownKey(Optional<PairingQr> scanned) {
    String own = relay.url().toString();
    if (scanned.map(PairingQr::relay).filter(named -> !named.equals(own)).isPresent()) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The QR code names another relay than --relay, and the token is not sent there. With"
              + " --token-out the device gets a token of that relay.");
    }
    return relay.key();
  }

  private PairingClient client(Optional<PairingQr> scanned, String key) {
    return new PairingClient(
        scanned
            .map(qr -> pinned(qr, key))
            .orElseGet(() -> key.isEmpty() ? relay.connectWithoutKey() : relay.connect()));
  }

  /** Returns a client that trusts the relay by the key that the QR code names. */
  private static RelayClient pinned(PairingQr scanned, String key) {
    return new RelayClient(
        new RestClient(
            URI.create(scanned.relay()),
            key,
            notice -> {},
            scanned.relayPin().map(pin -> Trust.context(Trust.ofOnePublicKey(pin)))));
  }

  private PairingOffer offer(PairingClient client, Optional<PairingQr> scanned)
      throws HarpException {
    if (scanned.isEmpty()) {
      return client.resolve(relay.url().toString(), code.orElseThrow());
    }
    PairingQr qr = scanned.get();
    PairingOffer offer = client.resolve(qr.relay(), qr.nonce());
    if (!offer.nonce().equals(qr.nonce())) {
      throw new CommandFailed(ExitCodes.FAILED, "The relay offers another pairing.");
    }
    qr.verifyIdentity(Base64Url.decode(offer.enforcerKey()).orElse(new byte[0]));
    return offer;
  }

  private void accept(
      PairingClient client, Optional<PairingQr> scanned, PairingOffer offer, DeviceKeys device)
      throws HarpException {
    // Its nonce is chosen now that the relay has made its offer.
    PairingDevice half =
        PairingDevice.create(
            device, approver, JsonLines.object().put("extensions", true), new SecureRandom());
    PairingTranscript transcript = PairingTranscript.of(offer, half);
    Optional<PairingMacs> macs = scanned.map(qr -> PairingMacs.of(qr.secret(), transcript));
    JsonNode completed =
        client.complete(
            offer.nonce(),
            half,
            Possession.prove(transcript, device.signing()),
            macs.map(PairingMacs::approver));
    String key = token.isPresent() ? PairingClient.text(completed, "deviceToken") : ownKey(scanned);
    token.ifPresent(
        file ->
            SecretFile.write(file, key, "The approver " + approver, "bridle harp parties list"));
    print(offer, scanned.isPresent() ? Optional.empty() : Optional.of(ShortCode.of(transcript)));
    if (scanned.isPresent()) {
      confirmed(client(scanned, key), offer, macs.orElseThrow());
    }
  }

  /** Waits for the proof that the enforcer has verified this device, and no other. */
  private void confirmed(PairingClient client, PairingOffer offer, PairingMacs macs)
      throws HarpException {
    JsonNode status =
        client
            .await(offer.nonce(), CONFIRMATION, Instant.now().plus(wait))
            .orElseThrow(
                () ->
                    new CommandFailed(
                        ExitCodes.FAILED,
                        "The enforcer has not confirmed in time; it may not trust this device."));
    macs.verifyEnforcer(PairingClient.bytes(status, CONFIRMATION));
  }

  private void print(PairingOffer offer, Optional<ShortCode> toCompare) {
    PrintWriter out = spec.commandLine().getOut();
    String fingerprint =
        Sha256.of(Base64Url.decode(offer.enforcerKey()).orElse(new byte[0])).toString();
    if (json) {
      var line =
          JsonLines.object()
              .put("approverId", approver)
              .put("relay", offer.relay())
              .put("enforcerId", offer.enforcerId())
              .put("enforcerLabel", offer.enforcerLabel())
              .put("workspaceName", offer.workspaceName())
              .put("enforcerKeyFingerprint", fingerprint);
      toCompare.ifPresent(shown -> line.put("shortCode", shown.grouped()));
      out.println(line);
    } else {
      out.println(
          "Enforcer "
              + ShownText.line(offer.enforcerLabel())
              + " of "
              + ShownText.line(offer.workspaceName())
              + ", key "
              + fingerprint);
      toCompare.ifPresent(shown -> out.println("Type this there:  " + shown.grouped()));
    }
    out.flush();
  }
}

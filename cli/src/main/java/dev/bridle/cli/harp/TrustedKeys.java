package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.harp.pairing.PairingTranscript;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The devices that an enforcer trusts, from files as 'bridle harp keys show --json' prints them.
 */
final class TrustedKeys {
  private final Map<String, VerificationKey> keys = new HashMap<>();

  /** Reads the files. */
  TrustedKeys(List<Path> files) {
    for (Path file : files) {
      ObjectNode device = HarpFiles.object(file);
      String id = device.path("signerKeyId").asText("");
      if (id.isEmpty() || keys.put(id, key(file, device, "signingKey")) != null) {
        throw new CommandFailed(
            ExitCodes.FAILED, file + " has no signerKeyId, or that of another file.");
      }
    }
  }

  private static VerificationKey key(Path file, ObjectNode device, String member) {
    try {
      return VerificationKey.of(bytes(file, device, member), KeyValidity.UNBOUNDED);
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(ExitCodes.FAILED, file + " has no Ed25519 key as " + member + ".", e);
    }
  }

  /** Returns the key for which payloads are sealed for a device. */
  static byte[] agreementKey(Path file) {
    return bytes(file, HarpFiles.object(file), "agreementKey");
  }

  private static byte[] bytes(Path file, ObjectNode device, String member) {
    return Base64Url.decode(device.path(member).asText(""))
        .filter(found -> found.length == 32)
        .orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.FAILED, file + " has no 32 bytes in base64url as " + member + "."));
  }

  /**
   * Returns the content of the file of a device that was paired.
   *
   * @param routingToken what leads artifacts to the device at its relay
   */
  static ObjectNode file(PairingTranscript pairing, String routingToken) {
    PairingDevice device = pairing.device();
    byte[] signs = pairing.signingKey().publicKey();
    byte[] agrees = Base64Url.decode(device.kxPub()).orElseThrow();
    return JsonLines.object()
        .put("deviceId", device.deviceId())
        .put("signerKeyId", device.kid())
        .put("signingKey", Base64Url.encode(signs))
        .put("signingKeyFingerprint", Sha256.of(signs).toString())
        .put("agreementKey", Base64Url.encode(agrees))
        .put("agreementKeyFingerprint", Sha256.of(agrees).toString())
        .put("opensExtensions", device.capabilities().path("extensions").asBoolean())
        .put("approverId", device.approverId())
        .put("enforcerId", pairing.offer().enforcerId())
        .put("relay", pairing.offer().relay())
        .put("routingToken", routingToken);
  }

  /**
   * Returns the routing token that leads artifacts to a paired device. It is a secret that only the
   * relay of the pairing gets.
   *
   * @param file the device's file, as 'bridle harp pair offer' writes it
   */
  static String routingToken(Path file, String enforcer, URI relay) {
    ObjectNode device = HarpFiles.object(file);
    String token = device.path("routingToken").asText("");
    if (token.isEmpty()) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          file
              + " has no routing token, since its device was not paired with 'bridle harp pair"
              + " offer'. Name the approver with --approver instead.");
    }
    if (!device.path("enforcerId").asText().equals(enforcer)) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          file
              + " is of a pairing with the enforcer "
              + ShownText.line(device.path("enforcerId").asText())
              + ", not with "
              + ShownText.line(enforcer)
              + ". Set --enforcer to that one, or pair the device with this enforcer.");
    }
    if (!device.path("relay").asText().equals(relay.toString())) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          file
              + " is of a pairing over another relay, "
              + ShownText.line(device.path("relay").asText())
              + "; its routing token is not sent to "
              + relay
              + ".");
    }
    return token;
  }

  /** Returns the key of an id. */
  Optional<VerificationKey> of(String signerKeyId) {
    return Optional.ofNullable(keys.get(signerKeyId));
  }
}

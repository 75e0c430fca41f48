package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.harp.pairing.PairingTranscript;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
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
        .put("approverId", device.approverId())
        .put("enforcerId", pairing.offer().enforcerId())
        .put("relay", pairing.offer().relay())
        .put("routingToken", routingToken);
  }

  /** Returns the key of an id. */
  Optional<VerificationKey> of(String signerKeyId) {
    return Optional.ofNullable(keys.get(signerKeyId));
  }
}

package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A device that was paired with an enforcer, as the relay has it. A text is empty where the device
 * has not said it.
 *
 * @param enforcer the enforcer's id
 * @param approver the approver's id
 * @param device the device's id
 * @param signerKeyId the id of the key that verifies decisions
 * @param signingKey that key, in base64url
 * @param pairedAt when it was paired
 * @param revokedAt when its approver was revoked; empty while it is good
 */
record ListedDevice(
    String enforcer,
    String approver,
    String device,
    String signerKeyId,
    String signingKey,
    String pairedAt,
    String revokedAt) {

  /** Reads a row of a server's list. */
  static ListedDevice ofServer(JsonNode row) {
    return new ListedDevice(
        row.path("enforcer_id").asText(""),
        row.path("approver_id").asText(""),
        row.path("device_id").asText(""),
        row.path("signer_key_id").asText(""),
        row.path("signing_key").asText(""),
        row.path("paired_at").asText(""),
        row.path("revoked_at").asText(""));
  }

  /** Reads an item of a relay's list. */
  static ListedDevice ofRelay(JsonNode item) {
    return new ListedDevice(
        item.path("enforcerId").asText(""),
        item.path("approverId").asText(""),
        item.path("deviceId").asText(""),
        item.path("signerKeyId").asText(""),
        item.path("signingKey").asText(""),
        item.path("pairedAt").asText(""),
        item.path("revokedAt").asText(""));
  }

  /** Returns the fingerprint of the signing key; empty where there is no such key. */
  String fingerprint() {
    return Base64Url.decode(signingKey)
        .filter(key -> key.length > 0)
        .map(key -> Sha256.of(key).toString())
        .orElse("");
  }

  /** Returns the cells of a table. */
  String[] cells() {
    return Stream.of(approver, device, signerKeyId, fingerprint(), enforcer, pairedAt, revokedAt)
        .map(ShownText::line)
        .toArray(String[]::new);
  }

  /** Returns a line for scripts. */
  String line() {
    return Stream.of(
            approver,
            device,
            signerKeyId,
            fingerprint(),
            "of " + enforcer,
            pairedAt,
            revokedAt.isEmpty() ? "" : "revoked " + revokedAt)
        .filter(word -> !word.isEmpty())
        .map(ShownText::line)
        .collect(Collectors.joining("  "));
  }

  /** Returns an object, with the same names as the file of a paired device. */
  ObjectNode json() {
    ObjectNode json = JsonLines.object().put("enforcerId", enforcer).put("approverId", approver);
    put(json, "deviceId", device);
    put(json, "signerKeyId", signerKeyId);
    put(json, "signingKey", signingKey);
    put(json, "signingKeyFingerprint", fingerprint());
    json.put("pairedAt", pairedAt);
    put(json, "revokedAt", revokedAt);
    return json;
  }

  private static void put(ObjectNode json, String name, String text) {
    if (!text.isEmpty()) {
      json.put(name, text);
    }
  }
}

package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.harp.pairing.PairingOffer;
import dev.bridle.proof.key.Base64Url;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Calls the pairing endpoints of a relay (HARP 0.2, "Pairing"). */
final class PairingClient {
  private static final long POLL_MILLIS = 1000;
  private static final String PAIRING = "/v1/pairing/";

  private final RelayClient relay;

  PairingClient(RelayClient relay) {
    this.relay = relay;
  }

  /**
   * A pairing that has begun. Its text has no code, which opens the pairing.
   *
   * @param code the code to type
   * @param nonce the nonce
   * @param expiresAt until when it can be completed
   */
  record Begun(String code, String nonce, Instant expiresAt) {
    @Override
    public String toString() {
      return "Begun[" + nonce + "]";
    }
  }

  /** Begins a pairing. */
  Begun initiate(String enforcer, String label, String workspace, String publicKey) {
    JsonNode begun =
        relay.submit(
            PAIRING + "initiate",
            JsonLines.object()
                .put("enforcerId", enforcer)
                .put("enforcerLabel", label)
                .put("workspaceName", workspace)
                .put("publicKey", publicKey));
    try {
      return new Begun(
          text(begun, "code"), text(begun, "nonce"), Times.parse(text(begun, "expiresAt")));
    } catch (HarpException e) {
      throw failed(e);
    }
  }

  /**
   * Returns the device of a completed pairing.
   *
   * @throws CommandFailed if a part that the enforcer needs is missing
   */
  static PairingDevice device(JsonNode completed) {
    return new PairingDevice(
        text(completed, "approverId"),
        text(completed, "deviceId"),
        text(completed, "publicKey"),
        text(completed, "signerKeyId"),
        text(completed, "signingKey"),
        text(completed, "approverNonce"),
        completed.path("capabilities") instanceof ObjectNode capabilities
            ? capabilities
            : JsonLines.object());
  }

  /**
   * Returns the offer of a code or a nonce.
   *
   * @param url the relay's URL, as both sides spell it
   */
  PairingOffer resolve(String url, String codeOrNonce) {
    JsonNode found = relay.get(PAIRING + "resolve/" + RestClient.escape(codeOrNonce));
    return new PairingOffer(
        url,
        text(found, "nonce"),
        text(found, "enforcerId"),
        text(found, "publicKey"),
        text(found, "enforcerLabel"),
        text(found, "workspaceName"));
  }

  /** Completes a pairing; what is returned has the device's token. */
  JsonNode complete(String nonce, PairingDevice device, byte[] possession, Optional<byte[]> mac) {
    ObjectNode body =
        JsonLines.object()
            .put("nonce", nonce)
            .put("approverId", device.approverId())
            .put("deviceId", device.deviceId())
            .put("publicKey", device.kxPub())
            .put("signingKey", device.signPub())
            .put("signerKeyId", device.kid())
            .put("approverNonce", device.approverNonce())
            .put("possession", Base64Url.encode(possession));
    mac.ifPresent(bytes -> body.put("mac", Base64Url.encode(bytes)));
    body.set("capabilities", device.capabilities());
    return relay.submit(PAIRING + "complete", body);
  }

  /** Sends the enforcer's proof, which the device fetches. */
  void confirm(String nonce, byte[] mac) {
    var unused =
        relay.submit(
            PAIRING + RestClient.escape(nonce) + "/confirm",
            JsonLines.object().put("mac", Base64Url.encode(mac)));
  }

  /** Returns a status once it has a member, or empty after a time; asks each second. */
  Optional<JsonNode> await(String nonce, String member, Instant end) {
    String path = PAIRING + RestClient.escape(nonce) + "/status";
    JsonNode status = relay.get(path);
    while (!status.has(member)) {
      if (!Instant.now().isBefore(end)) {
        return Optional.empty();
      }
      pause();
      status = relay.get(path);
    }
    return Optional.of(status);
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }

  /** Returns the bytes of a member; empty where it is missing or no base64url. */
  static byte[] bytes(JsonNode document, String member) {
    return Base64Url.decode(text(document, member)).orElse(new byte[0]);
  }

  static String text(JsonNode document, String member) {
    return document.path(member).asText("");
  }

  /** Returns the failure of a command whose pairing does not hold. */
  static CommandFailed failed(HarpException e) {
    return new CommandFailed(
        ExitCodes.FAILED,
        "The pairing does not hold: " + e.code().spelled() + ": " + e.getMessage(),
        e);
  }
}

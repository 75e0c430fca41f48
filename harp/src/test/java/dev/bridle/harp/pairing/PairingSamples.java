package dev.bridle.harp.pairing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.Samples;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A pairing whose values were computed by a script in Python, without this library. */
final class PairingSamples {
  static final String RELAY = "https://relay.example:8443/harp";
  static final String NONCE = "AAECAwQFBgcICQoLDA0ODw";

  /** The public half of the Ed25519 key whose seed is 32 times 1. */
  static final String ENFORCER_KEY = "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w";

  static final String CANONICAL =
      "{\"approverId\":\"app-1\",\"approverNonce\":\"EBESExQVFhcYGRobHB0eHw\","
          + "\"capabilities\":{\"extensions\":[\"org.harp.requestedActions\"],"
          + "\"maxBytes\":65536,\"push\":false},\"deviceId\":\"device-1\","
          + "\"enforcerId\":\"enf-1\",\"enforcerKey\":\""
          + ENFORCER_KEY
          + "\",\"enforcerLabel\":\"Werkstatt \u00e4\u2713\",\"kid\":\"phone-1\","
          + "\"kxPub\":\"Xf7dO2vUf2-ijuFdlp1bsOpTd01Ii9r53xxuASSz7yI\",\"nonce\":\""
          + NONCE
          + "\",\"relay\":\""
          + RELAY
          + "\",\"signPub\":\"gTl3Dqh9F19Wo1Rmw0x-zMuNipG07jeiXfYPW4_Js5Q\","
          + "\"v\":\"bridle-harp-pair-1\",\"workspaceName\":\"widgets \\\"one\\\"\"}";

  static final String HASH = "1b24f336021c8b6e93bd10029fe5093c2da1ab31a4480e948b91b84d6af3c5c0";
  static final String APPROVER_MAC =
      "6f7b63f30b0fb740399b78a953ae848f362860660b436d8f8a54cc306b38cd97";
  static final String ENFORCER_MAC =
      "979357a3980d46970dd3a44c3714707384f05a1abd92d6df6a039ba25441dd03";

  /** By the Ed25519 key whose seed is 32 times 2. */
  static final String POSSESSION =
      "cf4a97126b1e5cc74cfe2bc7515d07ac3ae249f00d8cb0214753143af09cd66b"
          + "5fee7559fd0ca0ac0edeafc2a5c4e79fcb047b84bd0b906a1c5ce4f7d9c0480a";

  static final String SHORT_CODE = "6MGN9AQ4CJSWEXVA";

  private static final HexFormat HEX = HexFormat.of();

  private PairingSamples() {}

  static byte[] bytes(String hex) {
    return HEX.parseHex(hex);
  }

  static PairingSecret secret() {
    return PairingSecret.ofBytes(bytes("202122232425262728292a2b2c2d2e2f"));
  }

  static PairingTranscript transcript() throws HarpException {
    return transcript(json -> {});
  }

  /** Returns the transcript with members that were changed or removed. */
  static PairingTranscript transcript(Consumer<ObjectNode> change) throws HarpException {
    ObjectNode json = Samples.object(CANONICAL);
    change.accept(json);
    PairingOffer offer =
        new PairingOffer(
            json.path("relay").textValue(),
            json.path("nonce").textValue(),
            json.path("enforcerId").textValue(),
            json.path("enforcerKey").textValue(),
            json.path("enforcerLabel").textValue(),
            json.path("workspaceName").textValue());
    PairingDevice device =
        new PairingDevice(
            json.path("approverId").textValue(),
            json.path("deviceId").textValue(),
            json.path("kxPub").textValue(),
            json.path("kid").textValue(),
            json.path("signPub").textValue(),
            json.path("approverNonce").textValue(),
            (ObjectNode) json.get("capabilities"));
    return PairingTranscript.of(offer, device);
  }

  static void assertRefused(HarpErrorCode code, String reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            HarpException.class,
            refused -> {
              assertThat(refused.code()).as(refused.getMessage()).isEqualTo(code);
              assertThat(refused.reason()).isEqualTo(reason);
            });
  }
}

package dev.bridle.harp.vectors;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.pairing.PairingDevice;
import dev.bridle.harp.pairing.PairingMacs;
import dev.bridle.harp.pairing.PairingOffer;
import dev.bridle.harp.pairing.PairingQr;
import dev.bridle.harp.pairing.PairingSecret;
import dev.bridle.harp.pairing.PairingTranscript;
import dev.bridle.harp.pairing.Possession;
import dev.bridle.harp.pairing.ShortCode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** A pairing by QR code and by typed code. */
final class PairingVectors {
  static final String APPROVER = "phone-7";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final HexFormat HEX = HexFormat.of();
  private static final String RELAY = "https://relay.example:8443/harp";
  private static final String RELAY_WITHOUT_TLS = "http://127.0.0.1:8085";
  private static final String NONCE = Base64Url.encode(FixedRandom.count(0x00, 16));
  private static final byte[] SECRET = FixedRandom.count(0x80, PairingSecret.BYTES);

  private PairingVectors() {}

  static ObjectNode json() throws HarpException {
    PairingOffer offer =
        new PairingOffer(
            RELAY,
            NONCE,
            "bridle-home",
            Base64Url.encode(VectorKeys.publicKey(VectorKeys.ENFORCER)),
            "B\u00fcro \u2713 \"one\"",
            "shop");
    PairingDevice device =
        PairingDevice.create(
            VectorKeys.DEVICE,
            APPROVER,
            NODES.objectNode().put("extensions", true),
            FixedRandom.of(FixedRandom.count(0x90, PairingDevice.APPROVER_NONCE_BYTES)));
    PairingTranscript transcript = PairingTranscript.of(offer, device);
    PairingMacs macs = PairingMacs.of(PairingSecret.ofBytes(SECRET), transcript);
    byte[] possession = Possession.prove(transcript, VectorKeys.DEVICE.signing());
    ObjectNode pairing = NODES.objectNode();
    pairing.set("offer", json(offer));
    pairing.set("device", json(device));
    ShortCode code = ShortCode.of(transcript);
    pairing
        .put("transcript", new String(transcript.canonical(), UTF_8))
        .put("transcriptHex", HEX.formatHex(transcript.canonical()))
        .put("transcriptHash", HEX.formatHex(transcript.hash().bytes()))
        .put("secret", Base64Url.encode(SECRET))
        .put("approverMac", Base64Url.encode(macs.approver()))
        .put("enforcerMac", Base64Url.encode(macs.enforcer()))
        .put("possessionMessageHex", HEX.formatHex(possessionMessage(transcript)))
        .put("possession", Base64Url.encode(possession))
        .put("shortCode", code.text())
        .put("shortCodeShown", code.grouped())
        .put("shortCodeTyped", typed(code))
        .set("complete", complete(transcript, possession, macs));
    ObjectNode qr = pairing.putObject("qr");
    byte[] pin = Sha256.of("not a certificate".getBytes(US_ASCII)).bytes();
    qr.put("relayKeyHash", Base64Url.encode(pin)).put("text", qr(RELAY, Optional.of(pin)));
    pairing
        .putObject("qrWithoutTls")
        .put("relay", RELAY_WITHOUT_TLS)
        .put("text", qr(RELAY_WITHOUT_TLS, Optional.empty()));
    return pairing;
  }

  private static byte[] possessionMessage(PairingTranscript transcript) {
    return HEX.parseHex(
        HEX.formatHex("BRIDLE-HARP-PAIR-V1\0approver\0".getBytes(US_ASCII))
            + HEX.formatHex(transcript.hash().bytes()));
  }

  /** Returns a code as somebody may type it. */
  private static String typed(ShortCode code) {
    return code.grouped().toLowerCase(Locale.ROOT).replace('-', ' ').replace('0', 'o') + " ";
  }

  private static String qr(String relay, Optional<byte[]> pin) throws HarpException {
    return PairingQr.of(
            relay,
            NONCE,
            Sha256.of(VectorKeys.publicKey(VectorKeys.ENFORCER)),
            PairingSecret.ofBytes(SECRET),
            pin.map(Sha256::ofBytes))
        .text();
  }

  private static ObjectNode json(PairingOffer offer) {
    return NODES
        .objectNode()
        .put("relay", offer.relay())
        .put("nonce", offer.nonce())
        .put("enforcerId", offer.enforcerId())
        .put("enforcerKey", offer.enforcerKey())
        .put("enforcerLabel", offer.enforcerLabel())
        .put("workspaceName", offer.workspaceName());
  }

  private static ObjectNode json(PairingDevice device) {
    ObjectNode json =
        NODES
            .objectNode()
            .put("approverId", device.approverId())
            .put("deviceId", device.deviceId())
            .put("kxPub", device.kxPub())
            .put("kid", device.kid())
            .put("signPub", device.signPub())
            .put("approverNonce", device.approverNonce());
    json.set("capabilities", device.capabilities());
    return json;
  }

  /** Returns the body of the device's call. */
  private static ObjectNode complete(
      PairingTranscript transcript, byte[] possession, PairingMacs macs) {
    PairingDevice device = transcript.device();
    ObjectNode body =
        NODES
            .objectNode()
            .put("nonce", transcript.offer().nonce())
            .put("approverId", device.approverId())
            .put("deviceId", device.deviceId())
            .put("publicKey", device.kxPub())
            .put("signingKey", device.signPub())
            .put("signerKeyId", device.kid())
            .put("approverNonce", device.approverNonce())
            .put("possession", Base64Url.encode(possession))
            .put("mac", Base64Url.encode(macs.approver()));
    body.set("capabilities", device.capabilities());
    return body;
  }
}

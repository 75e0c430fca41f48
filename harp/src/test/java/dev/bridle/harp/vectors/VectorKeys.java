package dev.bridle.harp.vectors;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.seal.AgreementKey;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.harp.seal.FixedDeviceKeys;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.SigningKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The keys of the vectors. Their secrets are public, so they protect nothing. */
final class VectorKeys {
  /** When the server has asked, and its key has begun to sign. */
  static final Instant ASKED = Instant.parse("2026-02-21T12:00:00Z");

  private static final int KEY_BYTES = 32;
  private static final byte[] SIGNING_SEED = FixedRandom.repeat(0x11, KEY_BYTES);
  private static final byte[] ISSUER_SEED = FixedRandom.repeat(0x14, KEY_BYTES);
  private static final byte[] ENFORCER_SEED = FixedRandom.repeat(0x15, KEY_BYTES);

  /** The secret half of the enforcer's key that is used for one seal. */
  static final byte[] EPHEMERAL = clamped(FixedRandom.repeat(0x13, KEY_BYTES));

  static final DeviceKeys DEVICE =
      FixedDeviceKeys.of(
          Base64Url.encode(FixedRandom.count(0xa0, 16)),
          SIGNING_SEED,
          FixedRandom.repeat(0x12, KEY_BYTES));

  static final SigningKey ISSUER = SigningKey.ofSeed(ISSUER_SEED);
  static final SigningKey ENFORCER = SigningKey.ofSeed(ENFORCER_SEED);

  private VectorKeys() {}

  private static byte[] clamped(byte[] secret) {
    secret[0] &= (byte) 0xf8;
    secret[31] = (byte) ((secret[31] & 0x7f) | 0x40);
    return secret;
  }

  static byte[] publicKey(SigningKey key) {
    return key.verificationKey(KeyValidity.UNBOUNDED).publicKey();
  }

  /** Returns what the server publishes as its keys. */
  static KeySet receiptKeys() {
    KeyValidity validity =
        new KeyValidity(
            OptionalLong.empty(),
            OptionalLong.of(ASKED.getEpochSecond()),
            OptionalLong.empty(),
            Optional.empty());
    return KeySet.of(List.of(ISSUER.verificationKey(validity)));
  }

  static ObjectNode json() {
    ObjectNode keys = JsonNodeFactory.instance.objectNode();
    ObjectNode device = keys.putObject("device");
    device.setAll(DEVICE.publicHalves());
    device
        .put("signingSeed", Base64Url.encode(SIGNING_SEED))
        .put("agreementSecret", Base64Url.encode(DEVICE.agreement().secret()));
    keys.putObject("ephemeral")
        .put("secret", Base64Url.encode(EPHEMERAL))
        .put("publicKey", Base64Url.encode(AgreementKey.ofSecret(EPHEMERAL).publicKey()));
    side(keys.putObject("issuer"), ISSUER_SEED);
    side(keys.putObject("enforcer"), ENFORCER_SEED);
    return keys;
  }

  private static void side(ObjectNode side, byte[] seed) {
    byte[] publicKey = publicKey(SigningKey.ofSeed(seed));
    side.put("seed", Base64Url.encode(seed))
        .put("publicKey", Base64Url.encode(publicKey))
        .put("fingerprint", Sha256.of(publicKey).toString());
  }
}

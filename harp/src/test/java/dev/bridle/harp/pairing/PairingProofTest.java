package dev.bridle.harp.pairing;

import static dev.bridle.harp.pairing.PairingSamples.assertRefused;
import static dev.bridle.harp.pairing.PairingSamples.bytes;
import static dev.bridle.harp.pairing.PairingSamples.secret;
import static dev.bridle.harp.pairing.PairingSamples.transcript;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.harp.Samples;
import dev.bridle.harp.error.HarpErrorCode;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides prove the same secret, key and transcript, or the pairing is refused. */
final class PairingProofTest {
  private static final int DEVICE_SEED = 2;

  @Test
  void macsAndPossessionAreThoseOfTheVector() throws Exception {
    PairingMacs macs = PairingMacs.of(secret(), transcript());

    assertThat(macs.approver()).isEqualTo(bytes(PairingSamples.APPROVER_MAC));
    assertThat(macs.enforcer()).isEqualTo(bytes(PairingSamples.ENFORCER_MAC));
    assertThat(Possession.prove(transcript(), Samples.key(DEVICE_SEED)))
        .isEqualTo(bytes(PairingSamples.POSSESSION));
  }

  @Test
  void theOtherSidesProofsAreAccepted() throws Exception {
    PairingMacs macs = PairingMacs.of(secret(), transcript());

    macs.verifyApprover(bytes(PairingSamples.APPROVER_MAC));
    macs.verifyEnforcer(bytes(PairingSamples.ENFORCER_MAC));
    Possession.verify(transcript(), bytes(PairingSamples.POSSESSION));
    ShortCode.parse(PairingSamples.SHORT_CODE).verify(transcript());
  }

  @ParameterizedTest
  @CsvSource({
    "relay, https://relay.example:8444/harp",
    "nonce, AQECAwQFBgcICQoLDA0ODw",
    "enforcerId, enf-2",
    "enforcerKey, gTl3Dqh9F19Wo1Rmw0x-zMuNipG07jeiXfYPW4_Js5Q",
    "enforcerLabel, Workshop",
    "workspaceName, gadgets",
    "approverId, app-2",
    "deviceId, device-2",
    "kxPub, Xv7dO2vUf2-ijuFdlp1bsOpTd01Ii9r53xxuASSz7yI",
    "kid, phone-2",
    "signPub, iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
    "approverNonce, EBESExQVFhcYGRobHB0eIA",
  })
  void aChangedMemberChangesEachProof(String member, String value) throws Exception {
    assertProofsDoNotHold(transcript(json -> json.put(member, value)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"extensions\":[\"org.harp.requestedActions\"]}"})
  void changedCapabilitiesChangeEachProof(String capabilities) throws Exception {
    assertProofsDoNotHold(
        transcript(json -> json.set("capabilities", Samples.object(capabilities))));
  }

  private static void assertProofsDoNotHold(PairingTranscript changed) {
    PairingMacs macs = PairingMacs.of(secret(), changed);
    assertRefused(
        HarpErrorCode.HASH_MISMATCH,
        "mac",
        () -> macs.verifyApprover(bytes(PairingSamples.APPROVER_MAC)));
    assertRefused(
        HarpErrorCode.HASH_MISMATCH,
        "mac",
        () -> macs.verifyEnforcer(bytes(PairingSamples.ENFORCER_MAC)));
    assertRefused(
        HarpErrorCode.HASH_MISMATCH,
        "short_code",
        () -> ShortCode.parse(PairingSamples.SHORT_CODE).verify(changed));
    assertRefused(
        HarpErrorCode.SIGNATURE_INVALID,
        "possession",
        () -> Possession.verify(changed, bytes(PairingSamples.POSSESSION)));
    // The old key over the changed hash, so that a check of the key alone would not do.
    assertThat(Possession.prove(changed, Samples.key(DEVICE_SEED)))
        .isNotEqualTo(bytes(PairingSamples.POSSESSION));
  }

  @Test
  void eachChangedBitOfTheSecretIsRefused() throws Exception {
    for (int bit = 0; bit < PairingSecret.BYTES * Byte.SIZE; bit++) {
      byte[] changed = secret().bytes();
      changed[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      PairingMacs macs = PairingMacs.of(PairingSecret.ofBytes(changed), transcript());

      assertRefused(
          HarpErrorCode.HASH_MISMATCH,
          "mac",
          () -> macs.verifyApprover(bytes(PairingSamples.APPROVER_MAC)));
      assertRefused(
          HarpErrorCode.HASH_MISMATCH,
          "mac",
          () -> macs.verifyEnforcer(bytes(PairingSamples.ENFORCER_MAC)));
    }
  }

  @Test
  void eachChangedBitOfAProofIsRefused() throws Exception {
    PairingMacs macs = PairingMacs.of(secret(), transcript());

    for (int bit = 0; bit < macs.approver().length * Byte.SIZE; bit++) {
      byte[] approver = flipped(PairingSamples.APPROVER_MAC, bit);
      byte[] enforcer = flipped(PairingSamples.ENFORCER_MAC, bit);
      assertRefused(HarpErrorCode.HASH_MISMATCH, "mac", () -> macs.verifyApprover(approver));
      assertRefused(HarpErrorCode.HASH_MISMATCH, "mac", () -> macs.verifyEnforcer(enforcer));
    }
    for (int bit = 0; bit < 64 * Byte.SIZE; bit++) {
      byte[] signature = flipped(PairingSamples.POSSESSION, bit);
      assertRefused(
          HarpErrorCode.SIGNATURE_INVALID,
          "possession",
          () -> Possession.verify(transcript(), signature));
    }
  }

  private static byte[] flipped(String hex, int bit) {
    byte[] changed = bytes(hex);
    changed[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
    return changed;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 33})
  void aMacOfAnotherLengthIsRefused(int length) throws Exception {
    PairingMacs macs = PairingMacs.of(secret(), transcript());
    byte[] other = Arrays.copyOf(macs.approver(), length);

    assertRefused(HarpErrorCode.HASH_MISMATCH, "mac", () -> macs.verifyApprover(other));
  }

  @Test
  void aMacSentBackIsNoAnswer() throws Exception {
    PairingMacs macs = PairingMacs.of(secret(), transcript());

    assertRefused(HarpErrorCode.HASH_MISMATCH, "mac", () -> macs.verifyEnforcer(macs.approver()));
    assertRefused(HarpErrorCode.HASH_MISMATCH, "mac", () -> macs.verifyApprover(macs.enforcer()));
  }

  @Test
  void anotherKeyDoesNotProveTheDevicesKey() throws Exception {
    byte[] signature = Possession.prove(transcript(), Samples.key(3));

    assertRefused(
        HarpErrorCode.SIGNATURE_INVALID,
        "possession",
        () -> Possession.verify(transcript(), signature));
  }

  @Test
  void aSignatureWithoutThePrefixIsNoProof() throws Exception {
    byte[] signature = Samples.key(DEVICE_SEED).sign(transcript().hash().bytes());

    assertRefused(
        HarpErrorCode.SIGNATURE_INVALID,
        "possession",
        () -> Possession.verify(transcript(), signature));
    assertRefused(
        HarpErrorCode.SIGNATURE_INVALID,
        "possession",
        () -> Possession.verify(transcript(), "short".getBytes(UTF_8)));
  }

  @Test
  void aSecretIsRandomAndNotShown() {
    PairingSecret one = PairingSecret.create(new SecureRandom());

    assertThat(one.bytes()).isNotEqualTo(PairingSecret.create(new SecureRandom()).bytes());
    assertThat(one.toString()).doesNotContain(one.text());
    one.bytes()[0] ^= 1;
    assertThat(PairingSecret.ofBytes(one.bytes()).bytes()).isEqualTo(one.bytes());
    assertThatThrownBy(() -> PairingSecret.ofBytes(new byte[15]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

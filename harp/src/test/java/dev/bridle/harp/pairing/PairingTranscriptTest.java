package dev.bridle.harp.pairing;

import static dev.bridle.harp.pairing.PairingSamples.assertRefused;
import static dev.bridle.harp.pairing.PairingSamples.transcript;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.Samples;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.seal.DeviceKeys;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A transcript has one canonical form, and none if a member is wrong. */
final class PairingTranscriptTest {
  private final SecureRandom random = new SecureRandom();

  @Test
  void theCanonicalFormAndItsHashAreThoseOfTheVector() throws Exception {
    assertThat(new String(transcript().canonical(), UTF_8)).isEqualTo(PairingSamples.CANONICAL);
    assertThat(transcript().hash()).hasToString("sha256:" + PairingSamples.HASH);
  }

  @Test
  void aDevicePairsWithItsOwnKeys() throws Exception {
    DeviceKeys keys = DeviceKeys.create(random);
    PairingDevice device = PairingDevice.create(keys, "app-1", Samples.object("{}"), random);

    PairingTranscript built = PairingTranscript.of(transcript().offer(), device);

    ObjectNode halves = keys.publicHalves();
    assertThat(device.deviceId()).isEqualTo(halves.get("deviceId").textValue());
    assertThat(device.kid()).isEqualTo(halves.get("signerKeyId").textValue());
    assertThat(device.signPub()).isEqualTo(halves.get("signingKey").textValue());
    assertThat(device.kxPub()).isEqualTo(halves.get("agreementKey").textValue());
    Possession.verify(built, Possession.prove(built, keys.signing()));
  }

  @Test
  void eachPairingOfADeviceHasANonceOfItsOwn() {
    DeviceKeys keys = DeviceKeys.create(random);
    ObjectNode capabilities = Samples.object("{}");

    assertThat(PairingDevice.create(keys, "app-1", capabilities, random).approverNonce())
        .isNotEqualTo(PairingDevice.create(keys, "app-1", capabilities, random).approverNonce());
  }

  @Test
  void laterChangesOfTheCapabilitiesDoNotReachTheTranscript() throws Exception {
    ObjectNode capabilities = Samples.object("{}");
    PairingDevice device =
        PairingDevice.create(DeviceKeys.create(random), "app-1", capabilities, random);
    capabilities.put("added", true);
    device.capabilities().put("added", true);
    PairingTranscript built = PairingTranscript.of(transcript().offer(), device);
    built.canonical()[0] = 'x';

    assertThat(new String(built.canonical(), UTF_8))
        .startsWith("{")
        .contains("\"capabilities\":{}");
  }

  @Test
  void textCannotMoveFromOneMemberToTheNext() throws Exception {
    PairingTranscript one =
        transcript(json -> json.put("enforcerLabel", "ab").put("workspaceName", "c"));
    PairingTranscript other =
        transcript(json -> json.put("enforcerLabel", "a").put("workspaceName", "bc"));

    assertThat(one.hash()).isNotEqualTo(other.hash());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "relay",
        "nonce",
        "enforcerId",
        "enforcerKey",
        "enforcerLabel",
        "workspaceName",
        "approverId",
        "deviceId",
        "kxPub",
        "kid",
        "signPub",
        "approverNonce"
      })
  void eachTextIsNeeded(String member) {
    assertRefused(HarpErrorCode.TRANSPORT, "schema", () -> transcript(json -> json.remove(member)));
    assertRefused(
        HarpErrorCode.TRANSPORT, "schema", () -> transcript(json -> json.put(member, "")));
    assertRefused(
        HarpErrorCode.TRANSPORT,
        "schema",
        () -> transcript(json -> json.put(member, "a".repeat(1025))));
  }

  @ParameterizedTest
  @CsvSource({
    // 15 and 65 bytes; padded; with bits left over; the other alphabet
    "nonce, AAECAwQFBgcICQoLDA0O",
    "nonce, AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "nonce, AAECAwQFBgcICQoLDA0ODw==",
    "nonce, AAECAwQFBgcICQoLDA0ODx",
    "nonce, //ECAwQFBgcICQoLDA0ODw",
    "approverNonce, EBESExQVFhcYGRobHB0e",
    "approverNonce, EBESExQVFhcYGRobHB0eHyA",
    "kxPub, Xf7dO2vUf2-ijuFdlp1bsOpTd01Ii9r53xxuASSz7w",
    "enforcerKey, iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPbw",
    "signPub, gTl3Dqh9F19Wo1Rmw0x-zMuNipG07jeiXfYPW4_Js5QA",
    "relay, ftp://relay.example",
  })
  void aMalformedMemberIsRefused(String member, String value) {
    assertRefused(
        HarpErrorCode.TRANSPORT, "schema", () -> transcript(json -> json.put(member, value)));
  }

  @ParameterizedTest
  @CsvSource({
    "the neutral element, 0100000000000000000000000000000000000000000000000000000000000000",
    "a point of order 8, c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "a key with a point of order 8 added,"
        + " 572727302e00128a6ac4b13774999d45c7c7ccee60ae0e59dcca75495227b567",
    "a coordinate of no point, 0700000000000000000000000000000000000000000000000000000000000000",
    "a coordinate beyond the field's prime,"
        + " eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  })
  void anEd25519KeyThatIsNoneIsRefused(String what, String hex) {
    String key = Base64Url.encode(PairingSamples.bytes(hex));

    for (String member : new String[] {"signPub", "enforcerKey"}) {
      assertRefused(
          HarpErrorCode.UNSUPPORTED, "key", () -> transcript(json -> json.put(member, key)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      })
  void anX25519KeyOfSmallOrderIsRefused(String hex) {
    String key = Base64Url.encode(PairingSamples.bytes(hex));

    assertRefused(
        HarpErrorCode.UNSUPPORTED, "key", () -> transcript(json -> json.put("kxPub", key)));
  }

  @Test
  void capabilitiesWithoutACanonicalFormAreRefused() {
    assertRefused(
        HarpErrorCode.CANONICALIZATION,
        "canonical",
        () -> transcript(json -> json.set("capabilities", Samples.object("{\"a\":1.5}"))));
    assertRefused(
        HarpErrorCode.CANONICALIZATION,
        "canonical",
        () -> transcript(json -> json.put("enforcerLabel", "\ud800")));
  }

  @Test
  void capabilitiesAreBoundedByTheWholeTranscript() throws Exception {
    int most = PairingTranscript.MAX_BYTES - withPadding(0).canonical().length;

    assertThat(withPadding(most).canonical()).hasSize(PairingTranscript.MAX_BYTES);
    assertRefused(HarpErrorCode.TRANSPORT, "too_large", () -> withPadding(most + 1));
  }

  private static PairingTranscript withPadding(int length) throws HarpException {
    return transcript(
        json -> ((ObjectNode) json.get("capabilities")).put("padding", "a".repeat(length)));
  }
}

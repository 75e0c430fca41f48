package dev.bridle.harp.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A notice is opened by one device, as the notice of its id and its approver. */
final class SealedNoticeTest {
  private final SecureRandom random = new SecureRandom();
  private final AgreementKey phone = AgreementKey.create(random);
  private final ObjectNode notice;
  private final ObjectNode sealed;

  SealedNoticeTest() throws HarpException {
    notice = JsonNodeFactory.instance.objectNode().put("name", "Ada's phone");
    sealed = SealedNotice.seal(notice, "notice_1", "phone-1", phone.publicKey(), random);
  }

  @Test
  void itsDeviceOpensIt() throws HarpException {
    assertThat(SealedNotice.open(sealed, "phone-1", phone)).isEqualTo(notice);
    assertThat(sealed.toString()).doesNotContain("Ada", "name", "phone-1");
    assertThat(sealed.get("msgId").textValue()).isEqualTo("notice_1");
  }

  @Test
  void twoSealsOfTheSameHaveNothingInCommon() throws HarpException {
    ObjectNode again = SealedNotice.seal(notice, "notice_1", "phone-1", phone.publicKey(), random);

    for (String member : new String[] {"heKxPub", "salt", "nonce", "data", "tag"}) {
      assertThat(again.get(member)).isNotEqualTo(sealed.get(member));
    }
  }

  @Test
  void anotherDeviceAndAnotherApproverDoNot() {
    assertRefused(
        HarpErrorCode.HASH_MISMATCH,
        () -> SealedNotice.open(sealed, "phone-1", AgreementKey.create(random)));
    assertRefused(HarpErrorCode.HASH_MISMATCH, () -> SealedNotice.open(sealed, "phone-2", phone));
  }

  @ParameterizedTest
  @CsvSource({
    "msgId, notice_2, HASH_MISMATCH",
    "alg, AES-256-GCM, UNSUPPORTED",
    "kdf, X25519, UNSUPPORTED",
    "info, HARP-XCHACHA-PAYLOAD-V1, UNSUPPORTED",
    "salt, AAAA, TRANSPORT",
    "tag, AAAA, TRANSPORT",
    "more, x, TRANSPORT"
  })
  void whatWasChangedDoesNotOpen(String member, String value, HarpErrorCode code) {
    ObjectNode changed = sealed.deepCopy().put(member, value);

    assertRefused(code, () -> SealedNotice.open(changed, "phone-1", phone));
  }

  @Test
  void aChangedCiphertextDoesNotOpen() {
    byte[] data = Base64Url.decode(sealed.get("data").textValue()).orElseThrow();
    data[0] ^= 1;
    ObjectNode changed = sealed.deepCopy().put("data", Base64Url.encode(data));

    assertRefused(HarpErrorCode.HASH_MISMATCH, () -> SealedNotice.open(changed, "phone-1", phone));
  }

  @Test
  void aKeyOfSmallOrderIsRefused() {
    assertRefused(
        HarpErrorCode.UNSUPPORTED,
        () -> SealedNotice.seal(notice, "notice_1", "phone-1", new byte[32], random));
  }

  private interface Call {
    Object run() throws HarpException;
  }

  private static void assertRefused(HarpErrorCode code, Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            HarpException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }
}

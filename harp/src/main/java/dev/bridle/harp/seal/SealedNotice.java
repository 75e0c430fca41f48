package dev.bridle.harp.seal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A notice of a server that only one approver's device opens: sealed like the payload of an
 * artifact, under a key of its own kind, and bound to its id and its approver. An addition of this
 * software to HARP.
 */
public final class SealedNotice {
  /** The most bytes of a notice in the clear. */
  public static final int MAX_BYTES = 16 << 10;

  private static final String INFO = "BRIDLE-HARP-NOTICE-V1";
  private static final String ALGORITHM = "XChaCha20-Poly1305";
  private static final String DERIVATION = "X25519+HKDF-SHA256";

  private static final Shape SHAPE =
      Shape.of("The sealed notice")
          .texts(true, "msgId", "heKxPub", "salt", "nonce", "tag")
          .word(true, "alg", HarpErrorCode.UNSUPPORTED, ALGORITHM)
          .word(true, "kdf", HarpErrorCode.UNSUPPORTED, DERIVATION)
          .word(true, "info", HarpErrorCode.UNSUPPORTED, INFO)
          .longTexts(true, "data");

  private SealedNotice() {}

  /**
   * Seals a notice, with keys, salt and nonce that are used this once.
   *
   * @param notice the notice and its signature
   * @param noticeId its id, by which it is acknowledged
   * @param approverId the approver in whose inbox it waits
   * @param device the X25519 key of the device, 32 bytes
   * @return what the inbox shows of it
   * @throws HarpException {@code UNSUPPORTED} if that is no key that may be used
   */
  public static ObjectNode seal(
      ObjectNode notice, String noticeId, String approverId, byte[] device, SecureRandom random)
      throws HarpException {
    AgreementKey once = AgreementKey.create(random);
    byte[] salt = bytes(PayloadCipher.SALT_BYTES, random);
    byte[] nonce = bytes(PayloadCipher.NONCE_BYTES, random);
    byte[] sealed =
        PayloadCipher.derive(once.agree(device), salt, INFO)
            .seal(HarpJson.canonical(notice), nonce, authenticated(noticeId, approverId));
    int length = sealed.length - PayloadCipher.TAG_BYTES;
    return JsonNodeFactory.instance
        .objectNode()
        .put("msgId", noticeId)
        .put("alg", ALGORITHM)
        .put("kdf", DERIVATION)
        .put("info", INFO)
        .put("heKxPub", Base64Url.encode(once.publicKey()))
        .put("salt", Base64Url.encode(salt))
        .put("nonce", Base64Url.encode(nonce))
        .put("data", Base64Url.encode(Arrays.copyOf(sealed, length)))
        .put("tag", Base64Url.encode(Arrays.copyOfRange(sealed, length, sealed.length)));
  }

  /**
   * Opens a notice, whose signature the caller verifies.
   *
   * @param sealed what the inbox shows of it
   * @param approverId the approver in whose inbox it was
   * @throws HarpException {@code HASH_MISMATCH} if anything was changed, or it is sealed for
   *     another key; {@code TRANSPORT}, {@code UNSUPPORTED} or {@code CANONICALIZATION} otherwise
   */
  public static ObjectNode open(ObjectNode sealed, String approverId, AgreementKey key)
      throws HarpException {
    SHAPE.check(sealed);
    byte[] common = key.agree(bytes(sealed, "heKxPub", AgreementKey.BYTES));
    byte[] opened =
        PayloadCipher.derive(common, bytes(sealed, "salt", PayloadCipher.SALT_BYTES), INFO)
            .open(
                Base64Url.decode(sealed.get("data").textValue()).orElseThrow(() -> bad("data")),
                bytes(sealed, "tag", PayloadCipher.TAG_BYTES),
                bytes(sealed, "nonce", PayloadCipher.NONCE_BYTES),
                authenticated(sealed.get("msgId").textValue(), approverId));
    return HarpJson.parse(opened, MAX_BYTES);
  }

  private static byte[] authenticated(String noticeId, String approverId) throws HarpException {
    return HarpJson.canonical(
        JsonNodeFactory.instance.objectNode().put("approverId", approverId).put("msgId", noticeId));
  }

  private static byte[] bytes(int count, SecureRandom random) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytes(ObjectNode sealed, String member, int length) throws HarpException {
    return Base64Url.decode(sealed.get(member).textValue())
        .filter(found -> found.length == length)
        .orElseThrow(() -> bad(member));
  }

  private static HarpException bad(String member) {
    return new HarpException(
        HarpErrorCode.TRANSPORT,
        "schema",
        "The sealed notice has a "
            + member
            + " that is not as many bytes in base64url as it needs.");
  }
}

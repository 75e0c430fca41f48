package dev.bridle.harp.seal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.document.Shape;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/**
 * An artifact whose payload only one approver's device opens: the header in the clear, bound to the
 * sealed payload, and what is needed to open it (the end-to-end profile of HARP's clients).
 * Extensions may be sealed beside the payload.
 */
public final class SealedArtifact {
  /** The most bytes on the wire: base64 makes a third more of an artifact. */
  public static final int MAX_BYTES = Artifact.MAX_BYTES * 3 / 2;

  private static final String INFO = "HARP-XCHACHA-PAYLOAD-V1";
  private static final String EXTENSIONS_INFO = "HARP-XCHACHA-EXTENSIONS-V1";
  private static final String EXTENSIONS = "extensions";
  private static final String ALGORITHM = "XChaCha20-Poly1305";
  private static final String DERIVATION = "X25519+HKDF-SHA256";

  /** The members that are authenticated with the payload, and no others. */
  private static final List<String> HEADER =
      List.of(
          "requestId",
          "artifactType",
          "repoRef",
          "createdAt",
          "expiresAt",
          "artifactHashAlg",
          "artifactHash");

  private static final Shape SHAPE =
      Shape.of("The sealed artifact")
          .texts(true, "requestId", "artifactType", "repoRef")
          .texts(false, "sessionId", "baseRevision")
          .times(true, "createdAt", "expiresAt")
          .word(true, "artifactHashAlg", HarpErrorCode.UNSUPPORTED, "SHA-256")
          .hashes(true, "artifactHash")
          .objects(true, "enc")
          .objects(false, "metadata", "extensions");

  private static final Shape SEAL =
      Shape.of("The seal")
          .word(true, "encAlg", HarpErrorCode.UNSUPPORTED, ALGORITHM)
          .word(true, "kdf", HarpErrorCode.UNSUPPORTED, DERIVATION)
          .word(true, "info", HarpErrorCode.UNSUPPORTED, INFO)
          .texts(true, "heKxPub", "salt", "nonce", "tag")
          .texts(false, "maKxPub")
          .longTexts(true, "ciphertext")
          .objects(false, EXTENSIONS);

  private static final Shape SEALED_EXTENSIONS =
      Shape.of("The seal of the extensions")
          .word(true, "info", HarpErrorCode.UNSUPPORTED, EXTENSIONS_INFO)
          .texts(true, "nonce", "tag")
          .longTexts(true, "ciphertext");

  private final ObjectNode json;

  private SealedArtifact(ObjectNode json) {
    this.json = json;
  }

  /**
   * Seals an artifact's payload, with keys, salt and nonce that are used this once. All other
   * members stay in the clear.
   *
   * @param approver the X25519 key of the approver's device, 32 bytes
   * @throws HarpException {@code UNSUPPORTED} if that is no key that may be used
   */
  public static SealedArtifact seal(Artifact artifact, byte[] approver, SecureRandom random)
      throws HarpException {
    return seal(artifact, List.of(), approver, random);
  }

  /**
   * Seals an artifact's payload, and its extensions in a second box, for a device that opens that:
   * a gateway's message has no place for extensions, and they may say as much as the payload.
   *
   * @param approver as in {@link #seal}
   */
  public static SealedArtifact sealWithExtensions(
      Artifact artifact, byte[] approver, SecureRandom random) throws HarpException {
    return seal(artifact, List.of(EXTENSIONS), approver, random);
  }

  private static SealedArtifact seal(
      Artifact artifact, List<String> also, byte[] approver, SecureRandom random)
      throws HarpException {
    AgreementKey once = AgreementKey.create(random);
    byte[] common = once.agree(approver);
    byte[] salt = bytes(PayloadCipher.SALT_BYTES, random);
    ObjectNode json = artifact.json();
    json.remove("payload");
    byte[] header = authenticated(json);
    ObjectNode enc =
        JsonNodeFactory.instance
            .objectNode()
            .put("encAlg", ALGORITHM)
            .put("kdf", DERIVATION)
            .put("heKxPub", Base64Url.encode(once.publicKey()))
            .put("maKxPub", Base64Url.encode(approver))
            .put("salt", Base64Url.encode(salt))
            .put("info", INFO);
    box(enc, PayloadCipher.derive(common, salt, INFO), artifact.payload(), header, random);
    for (String member : also) {
      if (json.remove(member) instanceof ObjectNode content) {
        ObjectNode second = enc.putObject(member).put("info", EXTENSIONS_INFO);
        box(second, PayloadCipher.derive(common, salt, EXTENSIONS_INFO), content, header, random);
      }
    }
    json.set("enc", enc);
    return new SealedArtifact(json);
  }

  private static void box(
      ObjectNode box, PayloadCipher cipher, ObjectNode content, byte[] header, SecureRandom random)
      throws HarpException {
    byte[] nonce = bytes(PayloadCipher.NONCE_BYTES, random);
    byte[] sealed = cipher.seal(HarpJson.canonical(content), nonce, header);
    int length = sealed.length - PayloadCipher.TAG_BYTES;
    box.put("nonce", Base64Url.encode(nonce))
        .put("ciphertext", Base64Url.encode(Arrays.copyOf(sealed, length)))
        .put("tag", Base64Url.encode(Arrays.copyOfRange(sealed, length, sealed.length)));
  }

  private static byte[] bytes(int count, SecureRandom random) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /**
   * Parses a sealed artifact.
   *
   * @throws HarpException {@code TRANSPORT}, {@code UNSUPPORTED} or {@code CANONICALIZATION}
   */
  public static SealedArtifact parse(byte[] bytes) throws HarpException {
    return of(HarpJson.parse(bytes, MAX_BYTES));
  }

  /** Reads a sealed artifact from a tree, as {@link #parse} does. */
  public static SealedArtifact of(ObjectNode json) throws HarpException {
    if (json.has("payload")) {
      throw new HarpException(
          HarpErrorCode.UNSUPPORTED, "plaintext", "The artifact's payload is not sealed.");
    }
    SHAPE.check(json);
    ObjectNode seal = (ObjectNode) json.get("enc");
    SEAL.check(seal);
    checkBytes(seal, "heKxPub", AgreementKey.BYTES);
    checkBytes(seal, "salt", PayloadCipher.SALT_BYTES);
    checkBox(seal);
    if (seal.get(EXTENSIONS) instanceof ObjectNode second) {
      if (json.has(EXTENSIONS)) {
        throw new HarpException(
            HarpErrorCode.TRANSPORT, "schema", "The artifact has extensions twice.");
      }
      SEALED_EXTENSIONS.check(second);
      checkBox(second);
    }
    return new SealedArtifact(json.deepCopy());
  }

  private static void checkBox(ObjectNode box) throws HarpException {
    checkBytes(box, "nonce", PayloadCipher.NONCE_BYTES);
    checkBytes(box, "tag", PayloadCipher.TAG_BYTES);
  }

  private static void checkBytes(ObjectNode box, String member, int length) throws HarpException {
    var unused = bytes(box, member, length);
  }

  /**
   * Opens the payload, and checks that the artifact is the one whose hash the header has.
   *
   * @throws HarpException {@code HASH_MISMATCH} if anything was changed, or it is sealed for
   *     another key; otherwise as {@link Artifact#of}
   */
  public Artifact open(AgreementKey key) throws HarpException {
    ObjectNode enc = (ObjectNode) json.get("enc");
    byte[] common = key.agree(bytes(enc, "heKxPub", AgreementKey.BYTES));
    ObjectNode whole = json.deepCopy();
    whole.remove("enc");
    whole.set("payload", open(enc, common));
    if (enc.get(EXTENSIONS) instanceof ObjectNode second) {
      whole.set(EXTENSIONS, open(second, common));
    }
    Artifact artifact = Artifact.of(whole);
    artifact.verifyHash();
    return artifact;
  }

  private ObjectNode open(ObjectNode box, byte[] common) throws HarpException {
    byte[] salt = bytes((ObjectNode) json.get("enc"), "salt", PayloadCipher.SALT_BYTES);
    byte[] ciphertext =
        Base64Url.decode(box.get("ciphertext").textValue()).orElseThrow(() -> bad("ciphertext"));
    byte[] plaintext =
        PayloadCipher.derive(common, salt, box.get("info").textValue())
            .open(
                ciphertext,
                bytes(box, "tag", PayloadCipher.TAG_BYTES),
                bytes(box, "nonce", PayloadCipher.NONCE_BYTES),
                authenticated(json));
    return HarpJson.parse(plaintext, Artifact.MAX_BYTES);
  }

  /** Returns the bytes that are authenticated with the payload: the header's seven members. */
  public byte[] authenticated() throws HarpException {
    return authenticated(json);
  }

  private static byte[] authenticated(ObjectNode json) throws HarpException {
    ObjectNode header = JsonNodeFactory.instance.objectNode();
    HEADER.forEach(member -> header.set(member, json.get(member)));
    return HarpJson.canonical(header);
  }

  private static byte[] bytes(ObjectNode box, String member, int length) throws HarpException {
    return Base64Url.decode(box.get(member).textValue())
        .filter(found -> found.length == length)
        .orElseThrow(() -> bad(member));
  }

  private static HarpException bad(String member) {
    return new HarpException(
        HarpErrorCode.TRANSPORT,
        "schema",
        "The seal has a " + member + " that is not as many bytes in base64url as it needs.");
  }

  /** Returns the request's id. */
  public String requestId() {
    return json.get("requestId").textValue();
  }

  /** Returns the hash that the header has, 64 hexadecimal digits. */
  public String artifactHash() {
    return json.get("artifactHash").textValue();
  }

  /** Returns a copy as JSON. */
  public ObjectNode json() {
    return json.deepCopy();
  }

  @Override
  public String toString() {
    return "SealedArtifact[" + requestId() + ", " + artifactHash() + "]";
  }
}

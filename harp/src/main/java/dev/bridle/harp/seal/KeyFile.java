package dev.bridle.harp.seal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.document.HarpJson;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * The content of a file with a device's keys, encrypted under a passphrase: Argon2id (64 MiB, 3
 * passes, 1 lane), then XChaCha20-Poly1305 with the file's other members authenticated.
 */
public final class KeyFile {
  private static final int VERSION = 1;
  private static final int MEMORY_KIB = 64 << 10;
  private static final int PASSES = 3;
  private static final int KEY_BYTES = 32;
  private static final int MOST = 64 << 10;
  private static final String SEALED = "sealed";

  private KeyFile() {}

  /** Returns the content of a file. */
  public static byte[] seal(DeviceKeys keys, char[] passphrase, SecureRandom random)
      throws HarpException {
    byte[] salt = new byte[PayloadCipher.SALT_BYTES];
    random.nextBytes(salt);
    byte[] nonce = new byte[PayloadCipher.NONCE_BYTES];
    random.nextBytes(nonce);
    ObjectNode file =
        JsonNodeFactory.instance
            .objectNode()
            .put("version", VERSION)
            .put("kdf", "argon2id")
            .put("salt", Base64Url.encode(salt))
            .put("nonce", Base64Url.encode(nonce));
    file.set("device", keys.publicHalves());
    byte[] secrets = Arrays.copyOf(keys.seed(), 2 * KEY_BYTES);
    System.arraycopy(keys.agreement().secret(), 0, secrets, KEY_BYTES, KEY_BYTES);
    byte[] sealed = cipher(passphrase, salt).seal(secrets, nonce, HarpJson.canonical(file));
    return HarpJson.canonical(file.put(SEALED, Base64Url.encode(sealed)));
  }

  /**
   * Opens the keys of a file.
   *
   * @throws HarpException {@code TRANSPORT} if it is no such file; {@code HASH_MISMATCH} if the
   *     passphrase is another one, or the file was changed
   */
  public static DeviceKeys open(byte[] content, char[] passphrase) throws HarpException {
    ObjectNode file = HarpJson.parse(content, MOST);
    byte[] salt = bytes(file, "salt", PayloadCipher.SALT_BYTES);
    byte[] nonce = bytes(file, "nonce", PayloadCipher.NONCE_BYTES);
    byte[] sealed = bytes(file, SEALED, 2 * KEY_BYTES + PayloadCipher.TAG_BYTES);
    if (file.path("version").asInt() != VERSION
        || !file.path("device").path("deviceId").isTextual()) {
      throw noKeyFile();
    }
    byte[] aad = HarpJson.canonicalWithout(file, SEALED);
    byte[] tag = Arrays.copyOfRange(sealed, 2 * KEY_BYTES, sealed.length);
    byte[] secrets;
    try {
      secrets =
          cipher(passphrase, salt).open(Arrays.copyOf(sealed, 2 * KEY_BYTES), tag, nonce, aad);
    } catch (HarpException e) {
      throw new HarpException(
          e.code(), "passphrase", "The passphrase is another one, or the file was changed.");
    }
    return new DeviceKeys(
        file.get("device").get("deviceId").textValue(),
        Arrays.copyOf(secrets, KEY_BYTES),
        AgreementKey.ofSecret(Arrays.copyOfRange(secrets, KEY_BYTES, secrets.length)));
  }

  /**
   * Returns the public halves of a file, without its passphrase: unproven, as they stand there.
   *
   * @throws HarpException {@code TRANSPORT} if it is no such file
   */
  public static ObjectNode publicHalves(byte[] content) throws HarpException {
    JsonNode device = HarpJson.parse(content, MOST).path("device");
    if (!(device instanceof ObjectNode halves)) {
      throw noKeyFile();
    }
    return halves;
  }

  private static byte[] bytes(ObjectNode file, String member, int length) throws HarpException {
    return Base64Url.decode(file.path(member).asText(""))
        .filter(found -> found.length == length)
        .orElseThrow(KeyFile::noKeyFile);
  }

  private static HarpException noKeyFile() {
    return new HarpException(HarpErrorCode.TRANSPORT, "schema", "This is no file of device keys.");
  }

  private static PayloadCipher cipher(char[] passphrase, byte[] salt) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withSalt(salt)
            .withMemoryAsKB(MEMORY_KIB)
            .withIterations(PASSES)
            .withParallelism(1)
            .build());
    byte[] key = new byte[KEY_BYTES];
    generator.generateBytes(new String(passphrase).getBytes(UTF_8), key);
    return PayloadCipher.ofKey(key);
  }
}

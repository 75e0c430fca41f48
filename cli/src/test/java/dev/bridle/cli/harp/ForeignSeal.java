package dev.bridle.cli.harp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.ArtifactSubmit;
import dev.bridle.harp.seal.SealedArtifact;
import dev.bridle.proof.key.Base64Url;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.agreement.X25519Agreement;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.modes.XChaCha20Poly1305;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.X25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.X25519PublicKeyParameters;

/** Seals any text as a payload, as an enforcer does that does not use the library. */
final class ForeignSeal {
  private static final int TAG_BYTES = 16;

  private ForeignSeal() {}

  /**
   * Returns the body of an {@code artifact.submit} with another payload than the one that the
   * library has sealed, and the same header.
   */
  static ObjectNode body(SealedArtifact sealed, byte[] device, String plaintext)
      throws HarpException, InvalidCipherTextException {
    ObjectNode body = ArtifactSubmit.body(sealed);
    ObjectNode seal = body.withObject("/ciphertext");
    X25519PrivateKeyParameters once = new X25519PrivateKeyParameters(new SecureRandom());
    byte[] whole =
        cipher(key(once, device, bytes(seal, "salt")), bytes(seal, "nonce"), bytes(seal, "aad"))
            .seal(plaintext.getBytes(UTF_8));
    int length = whole.length - TAG_BYTES;
    seal.put("heKxPub", Base64Url.encode(once.generatePublicKey().getEncoded()))
        .put("data", Base64Url.encode(Arrays.copyOf(whole, length)))
        .put("tag", Base64Url.encode(Arrays.copyOfRange(whole, length, whole.length)));
    return body;
  }

  private static byte[] bytes(ObjectNode seal, String member) {
    return Base64Url.decode(seal.path(member).textValue()).orElseThrow();
  }

  private static byte[] key(X25519PrivateKeyParameters once, byte[] device, byte[] salt) {
    X25519Agreement agreement = new X25519Agreement();
    agreement.init(once);
    byte[] common = new byte[agreement.getAgreementSize()];
    agreement.calculateAgreement(new X25519PublicKeyParameters(device), common, 0);
    HKDFBytesGenerator generator = new HKDFBytesGenerator(new SHA256Digest());
    generator.init(new HKDFParameters(common, salt, "HARP-XCHACHA-PAYLOAD-V1".getBytes(US_ASCII)));
    byte[] key = new byte[32];
    generator.generateBytes(key, 0, key.length);
    return key;
  }

  private interface Cipher {
    byte[] seal(byte[] plaintext) throws InvalidCipherTextException;
  }

  private static Cipher cipher(byte[] key, byte[] nonce, byte[] aad) {
    return plaintext -> {
      XChaCha20Poly1305 cipher = new XChaCha20Poly1305();
      cipher.init(
          true, new AEADParameters(new KeyParameter(key), TAG_BYTES * Byte.SIZE, nonce, aad));
      byte[] output = new byte[cipher.getOutputSize(plaintext.length)];
      int written = cipher.processBytes(plaintext, 0, plaintext.length, output, 0);
      written += cipher.doFinal(output, written);
      return Arrays.copyOf(output, written);
    };
  }
}

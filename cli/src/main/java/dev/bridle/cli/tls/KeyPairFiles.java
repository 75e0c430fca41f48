package dev.bridle.cli.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * A certificate's chain and its private key, as two files hold them.
 *
 * @param chain the certificates, the server's own first
 * @param key the key of the first
 */
record KeyPairFiles(List<X509Certificate> chain, PrivateKey key) {
  private static final byte[] PROBE = {1, 2, 3, 4};

  KeyPairFiles {
    chain = List.copyOf(chain);
  }

  /** The bytes of both files, by which a change is seen. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by isSame.
  record Bytes(byte[] certificate, byte[] key) {
    boolean isSame(Bytes other) {
      return Arrays.equals(certificate, other.certificate) && Arrays.equals(key, other.key);
    }

    /** Leaves the key out. */
    @Override
    public String toString() {
      return "Bytes[" + certificate.length + "]";
    }
  }

  static Bytes bytes(Path certificate, Path key) throws CertificateFileException {
    return new Bytes(PemFiles.read(certificate), PemFiles.read(key));
  }

  /** Reads both, and checks that they belong together and can be used at that time. */
  static KeyPairFiles of(Path certificate, Path key, Bytes bytes, Instant now)
      throws CertificateFileException {
    KeyPairFiles pair =
        new KeyPairFiles(
            PemFiles.certificates(certificate, bytes.certificate()),
            PemFiles.key(key, bytes.key()));
    X509Certificate own = pair.chain().get(0);
    if (!pair.belongsTogether()) {
      throw new CertificateFileException(
          "The key in "
              + key
              + " is not that of the first certificate in "
              + certificate
              + ". The server's own certificate must come first.");
    }
    if (own.getNotAfter().toInstant().isBefore(now)) {
      throw new CertificateFileException(
          "The certificate in "
              + certificate
              + " expired at "
              + own.getNotAfter().toInstant()
              + ".");
    }
    return pair;
  }

  private boolean belongsTogether() {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC", "ECDSA" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm(); // Ed25519 and its like name their own.
        };
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(chain.get(0).getPublicKey());
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Leaves the key out. */
  @Override
  public String toString() {
    return "KeyPairFiles[" + chain.get(0).getSubjectX500Principal() + "]";
  }
}

package dev.bridle.cli.tls;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;

/** The SHA-256 of a certificate. */
final class Fingerprint {
  private Fingerprint() {}

  /** Returns 64 hexadecimal digits. */
  static String of(X509Certificate certificate) {
    return HexFormat.of().formatHex(hash(certificate));
  }

  /** Returns the digits as phones and browsers show them. */
  static String shown(X509Certificate certificate) {
    return HexFormat.ofDelimiter(":").formatHex(hash(certificate)).toUpperCase(Locale.ROOT);
  }

  private static byte[] hash(X509Certificate certificate) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
      throw new IllegalStateException("every JDK has SHA-256 and X.509", e);
    }
  }
}

package dev.bridle.cli.tls;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** Reads and writes certificates and private keys as PEM (RFC 7468). */
final class PemFiles {
  /** A chain of certificates with a key takes a few kilobytes. */
  private static final int MOST_BYTES = 1 << 20;

  private PemFiles() {}

  static byte[] read(Path file) throws CertificateFileException {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new CertificateFileException(
            "The file " + file + " is larger than 1 MiB: it is not a PEM file of certificates.");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new CertificateFileException(
          "There is no file " + file + ". 'bridle tls create' makes certificates.", e);
    } catch (IOException e) {
      throw new CertificateFileException("The file " + file + " can't be read: " + e, e);
    }
  }

  /** Returns the certificates of a file, in its order; at least one. */
  static List<X509Certificate> certificates(Path file, byte[] content)
      throws CertificateFileException {
    List<X509Certificate> found = new ArrayList<>();
    try (PEMParser parser = parser(content)) {
      for (Object each = parser.readObject(); each != null; each = parser.readObject()) {
        if (each instanceof X509CertificateHolder holder) {
          found.add(new JcaX509CertificateConverter().getCertificate(holder));
        }
      }
    } catch (IOException | CertificateException e) {
      throw new CertificateFileException(
          "A certificate in the file " + file + " can't be read.", e);
    }
    if (found.isEmpty()) {
      throw new CertificateFileException(
          "The file " + file + " has no certificate. Expected PEM with 'BEGIN CERTIFICATE'.");
    }
    return found;
  }

  /** Returns the first private key of a file: PKCS #8, or the older forms of RSA and EC keys. */
  static PrivateKey key(Path file, byte[] content) throws CertificateFileException {
    JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
    try (PEMParser parser = parser(content)) {
      for (Object each = parser.readObject(); each != null; each = parser.readObject()) {
        if (each instanceof PrivateKeyInfo key) {
          return converter.getPrivateKey(key);
        }
        if (each instanceof PEMKeyPair pair) {
          return converter.getPrivateKey(pair.getPrivateKeyInfo());
        }
      }
    } catch (IOException e) {
      throw new CertificateFileException("The key in the file " + file + " can't be read.", e);
    }
    throw new CertificateFileException(
        "The file "
            + file
            + " has no private key that is not encrypted. Expected PEM with 'BEGIN PRIVATE KEY'.");
  }

  private static PEMParser parser(byte[] content) {
    return new PEMParser(new StringReader(new String(content, StandardCharsets.US_ASCII)));
  }

  /** Writes a file that everybody may read, at once as a whole. */
  static void replace(Path file, String text) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(aside, text);
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns a certificate as PEM. */
  static String text(X509Certificate certificate) {
    try {
      return text("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate has an encoding", e);
    }
  }

  /** Returns a key as PEM. */
  static String text(PrivateKey key) {
    return text("PRIVATE KEY", key.getEncoded());
  }

  private static String text(String type, byte[] content) {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(type, content));
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory does not fail", e);
    }
    return text.toString();
  }
}

package dev.bridle.cli.tls;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A CA for a local network, with keys on P-256, which all phones and browsers know. It issues
 * certificates of servers only.
 *
 * @param certificate its certificate
 * @param key its key
 */
record CertificateAuthority(X509Certificate certificate, PrivateKey key) {
  private static final Duration VALID = Duration.ofDays(3650);
  private static final int SERIAL_BITS = 127;

  /** Clocks of phones differ. */
  private static final Duration BEFORE = Duration.ofHours(1);

  /** A certificate and its key. */
  record Issued(X509Certificate certificate, PrivateKey key) {
    /** Leaves the key out. */
    @Override
    public String toString() {
      return "Issued[" + certificate.getSubjectX500Principal() + "]";
    }
  }

  /** Makes a new CA. */
  static CertificateAuthority create(String name, Instant now) {
    try {
      KeyPair pair = pair();
      X500Principal subject = new X500Principal("CN=" + name);
      JcaX509v3CertificateBuilder builder = builder(subject, subject, pair, now, now.plus(VALID));
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      return new CertificateAuthority(signed(builder, pair.getPrivate()), pair.getPrivate());
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /**
   * Reads a CA that was made before.
   *
   * @throws CertificateFileException if the files can't be used
   */
  static CertificateAuthority read(Path certificate, Path key, Instant now)
      throws CertificateFileException {
    KeyPairFiles pair =
        KeyPairFiles.of(certificate, key, KeyPairFiles.bytes(certificate, key), now);
    if (pair.chain().get(0).getBasicConstraints() < 0) {
      throw new CertificateFileException(
          "The certificate in " + certificate + " is not that of a CA.");
    }
    return new CertificateAuthority(pair.chain().get(0), pair.key());
  }

  /**
   * Issues a certificate of a server, which ends with the CA's at the latest.
   *
   * @param names DNS names and IP addresses at which clients reach it; the first names the subject
   */
  Issued issue(List<String> names, Duration valid, Instant now) {
    try {
      KeyPair pair = pair();
      Instant end = now.plus(valid);
      Instant last = certificate.getNotAfter().toInstant();
      JcaX509v3CertificateBuilder builder =
          builder(
              certificate.getSubjectX500Principal(),
              new X500Principal("CN=Bridle server"),
              pair,
              now,
              end.isBefore(last) ? end : last);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              names.stream().map(CertificateAuthority::general).toArray(GeneralName[]::new)));
      return new Issued(signed(builder, key), pair.getPrivate());
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  private static GeneralName general(String name) {
    return new GeneralName(
        Names.isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name);
  }

  private static KeyPair pair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, KeyPair pair, Instant now, Instant end)
      throws GeneralSecurityException, CertIOException {
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
            Date.from(now.minus(BEFORE).truncatedTo(ChronoUnit.SECONDS)),
            Date.from(end.truncatedTo(ChronoUnit.SECONDS)),
            subject,
            pair.getPublic());
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
    return builder;
  }

  private static X509Certificate signed(JcaX509v3CertificateBuilder builder, PrivateKey by)
      throws GeneralSecurityException, OperatorCreationException {
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(by)));
  }

  /** Leaves the key out. */
  @Override
  public String toString() {
    return "CertificateAuthority[" + certificate.getSubjectX500Principal() + "]";
  }
}

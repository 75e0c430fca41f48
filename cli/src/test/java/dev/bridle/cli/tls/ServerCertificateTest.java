package dev.bridle.cli.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.bridle.cli.process.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCertificateTest {
  private static final Duration OFTEN = Duration.ofMillis(20);

  @TempDir private Path directory;
  private final List<String> notices = new CopyOnWriteArrayList<>();
  private Path certificate;
  private Path key;

  @BeforeEach
  void create() {
    create("tls");
    certificate = directory.resolve("tls/server.crt");
    key = directory.resolve("tls/server.key");
  }

  private void create(String name) {
    var unused =
        Commands.run(
            0, "tls", "create", "--dir", directory.resolve(name).toString(), "--name", "a.test");
  }

  private ServerCertificate open() throws CertificateFileException {
    return ServerCertificate.open(certificate, key, OFTEN, notices::add);
  }

  private static X509Certificate first(ServerCertificate of) {
    String alias = of.keys().chooseEngineServerAlias("EC", null, null);
    return of.keys().getCertificateChain(alias)[0];
  }

  @Test
  void aNewCertificateIsUsedOnceBothFilesFit() throws Exception {
    try (ServerCertificate opened = open()) {
      X509Certificate before = first(opened);
      create("other");
      replace(certificate, directory.resolve("other/server.crt"));
      await().until(() -> notices.stream().anyMatch(each -> each.contains("is not that of")));
      assertThat(first(opened)).as("while the files don't fit").isEqualTo(before);

      replace(key, directory.resolve("other/server.key"));
      await().until(() -> notices.stream().anyMatch(each -> each.contains("read again")));
      assertThat(first(opened)).isNotEqualTo(before);
      assertThat(notices).as("each is said once").hasSize(2);
    }
  }

  /** Replaces a file at once: a missing one would be a third thing to say. */
  private static void replace(Path file, Path by) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    Files.copy(by, beside);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void filesThatCantBeUsedAreRefusedWithTheReason() throws Exception {
    assertThatThrownBy(() -> ServerCertificate.open(directory.resolve("no"), key, notices::add))
        .isInstanceOf(CertificateFileException.class)
        .hasMessageContaining("There is no file");
    assertThatThrownBy(() -> ServerCertificate.open(key, key, notices::add))
        .hasMessageContaining("has no certificate");
    assertThatThrownBy(() -> ServerCertificate.open(certificate, certificate, notices::add))
        .hasMessageContaining("no private key");
    create("other");
    assertThatThrownBy(
            () ->
                ServerCertificate.open(
                    certificate, directory.resolve("other/server.key"), notices::add))
        .hasMessageContaining("is not that of the first certificate");
    Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----");
    assertThatThrownBy(this::open).hasMessageContaining("can't be read");
  }

  @Test
  void anExpiredCertificateIsRefused() {
    Instant later = Instant.now().plus(Duration.ofDays(398));

    assertThatThrownBy(
            () -> KeyPairFiles.of(certificate, key, KeyPairFiles.bytes(certificate, key), later))
        .hasMessageContaining("expired at");
  }

  @Test
  void keysInTheirOlderFormsAreRead() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair pair = generator.generateKeyPair();
    byte[] pkcs1 =
        PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded())
            .parsePrivateKey()
            .toASN1Primitive()
            .getEncoded();
    String text =
        "-----BEGIN RSA PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(pkcs1)
            + "\n-----END RSA PRIVATE KEY-----\n";

    assertThat(PemFiles.key(key, text.getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(pair.getPrivate());
  }

  @Test
  void secretsAreInNoText() throws Exception {
    KeyPairFiles.Bytes bytes = KeyPairFiles.bytes(certificate, key);
    KeyPairFiles pair = KeyPairFiles.of(certificate, key, bytes, Instant.now());
    String secret = pair.key().toString();

    assertThat(pair + " " + bytes).doesNotContain(secret, "PRIVATE");
  }
}

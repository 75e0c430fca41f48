package dev.bridle.cli.tls;

import io.grpc.util.AdvancedTlsX509KeyManager;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The certificate of a server's listeners, from two PEM files that are read again when they change:
 * new connections get the new certificate. While the files can't be used, as when one of them has
 * been replaced and the other not yet, the previous certificate stays.
 */
public final class ServerCertificate implements AutoCloseable {
  /** How often the files are looked at. */
  public static final Duration INTERVAL = Duration.ofSeconds(5);

  private final Path certificate;
  private final Path key;
  private final Consumer<String> notices;
  private final AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "bridle-tls-files");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private KeyPairFiles.Bytes used;
  private String lastNotice = "";
  private volatile String sha256 = "";

  private ServerCertificate(
      Path certificate, Path key, Consumer<String> notices, KeyPairFiles.Bytes bytes)
      throws CertificateFileException {
    this.certificate = certificate;
    this.key = key;
    this.notices = notices;
    this.used = bytes;
    use(bytes);
  }

  /**
   * Reads the files, and watches them until this is closed.
   *
   * @param notices receives messages for the operator
   * @throws CertificateFileException if they can't be used
   */
  public static ServerCertificate open(Path certificate, Path key, Consumer<String> notices)
      throws CertificateFileException {
    return open(certificate, key, INTERVAL, notices);
  }

  static ServerCertificate open(
      Path certificate, Path key, Duration interval, Consumer<String> notices)
      throws CertificateFileException {
    ServerCertificate opened =
        new ServerCertificate(certificate, key, notices, KeyPairFiles.bytes(certificate, key));
    var unused =
        opened.looks.scheduleWithFixedDelay(
            opened::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    return opened;
  }

  /** Returns what listeners ask for the certificate at each handshake. */
  public X509ExtendedKeyManager keys() {
    return keys;
  }

  /** Returns the file of the certificate. */
  public Path file() {
    return certificate;
  }

  /** Returns the SHA-256, in hexadecimal, of the certificate in use. */
  public String sha256() {
    return sha256;
  }

  /** Runs something each time when another certificate has come into use. */
  public void onReplaced(Runnable listener) {
    listeners.add(listener);
  }

  private void look() {
    try {
      KeyPairFiles.Bytes now = KeyPairFiles.bytes(certificate, key);
      if (!now.isSame(used)) {
        use(now);
        used = now;
        lastNotice = "";
        listeners.forEach(Runnable::run);
        notices.accept("the TLS certificate has been read again from " + certificate);
      }
    } catch (CertificateFileException | RuntimeException e) {
      String notice = "the previous TLS certificate stays in use: " + e.getMessage();
      if (!notice.equals(lastNotice)) {
        lastNotice = notice;
        notices.accept(notice);
      }
    }
  }

  private void use(KeyPairFiles.Bytes bytes) throws CertificateFileException {
    KeyPairFiles pair = KeyPairFiles.of(certificate, key, bytes, Instant.now());
    keys.updateIdentityCredentials(pair.chain().toArray(X509Certificate[]::new), pair.key());
    sha256 = Fingerprint.of(pair.chain().get(0));
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}

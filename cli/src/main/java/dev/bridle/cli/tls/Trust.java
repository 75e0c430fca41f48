package dev.bridle.cli.tls;

import dev.bridle.proof.hash.Sha256;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** Which servers commands trust. */
public final class Trust {
  private Trust() {}

  /**
   * Returns what trusts servers with a certificate of a CA in the file, or of one that Java knows.
   *
   * @throws CertificateFileException if the file can't be used
   */
  public static SSLContext ofCa(Path file) throws CertificateFileException {
    return context(managerOfCa(file));
  }

  /**
   * Returns what decides like {@link #ofCa}.
   *
   * @throws CertificateFileException if the file can't be used
   */
  public static X509TrustManager managerOfCa(Path file) throws CertificateFileException {
    List<X509Certificate> added = PemFiles.certificates(file, PemFiles.read(file));
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int entry = 0;
      for (X509Certificate each : known()) {
        store.setCertificateEntry("known-" + entry++, each);
      }
      for (X509Certificate each : added) {
        store.setCertificateEntry("added-" + entry++, each);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return x509(factory)
          .orElseThrow(() -> new IllegalStateException("every JDK verifies certificates"));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("every JDK has a key store and TLS", e);
    }
  }

  private static List<X509Certificate> known() throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    return x509(factory).map(known -> List.of(known.getAcceptedIssuers())).orElseGet(List::of);
  }

  private static Optional<X509TrustManager> x509(TrustManagerFactory factory) {
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509TrustManager manager) {
        return Optional.of(manager);
      }
    }
    return Optional.empty();
  }

  /** Finds the SHA-256, in hexadecimal, of the certificate that is trusted; empty: none. */
  public interface Expected {
    Optional<String> sha256() throws IOException;
  }

  /** Returns what trusts one certificate, whatever address its server is reached at. */
  public static X509ExtendedTrustManager ofOneCertificate(Expected expected) {
    return new OneServer(
        certificate -> {
          try {
            if (!Optional.of(Fingerprint.of(certificate)).equals(expected.sha256())) {
              throw new CertificateException(
                  "the server has another certificate than it announced");
            }
          } catch (IOException e) {
            throw new CertificateException("the server's certificate is not known: " + e, e);
          }
        });
  }

  /**
   * Returns what trusts the servers with one public key, whatever certificate has it.
   *
   * @param pin the SHA-256 of the key's SubjectPublicKeyInfo
   */
  public static X509ExtendedTrustManager ofOnePublicKey(Sha256 pin) {
    return new OneServer(
        certificate -> {
          if (!ServerPin.of(certificate).equals(pin)) {
            throw new CertificateException("the server has another key than the pinned one");
          }
        });
  }

  /** Returns a context with these trust managers and no certificate of its own. */
  public static SSLContext context(TrustManager... managers) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  /** Rejects the certificates of all servers but one. */
  private interface Check {
    void check(X509Certificate certificate) throws CertificateException;
  }

  /** Accepts one server, so that neither its issuer nor the host's name decides anything. */
  private static final class OneServer extends X509ExtendedTrustManager {
    private final Check accepted;

    OneServer(Check accepted) {
      this.accepted = accepted;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      accepted.check(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("clients have no certificates");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("clients have no certificates");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("clients have no certificates");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

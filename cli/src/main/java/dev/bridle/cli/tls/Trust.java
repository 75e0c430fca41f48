package dev.bridle.cli.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
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
      return context(factory.getTrustManagers());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("every JDK has a key store and TLS", e);
    }
  }

  private static List<X509Certificate> known() throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509TrustManager manager) {
        return List.of(manager.getAcceptedIssuers());
      }
    }
    return List.of();
  }

  /**
   * Returns what trusts the server whose certificate is the first of a file, whatever address it is
   * reached at: the file is the server's own, and is read again at each handshake.
   */
  public static X509ExtendedTrustManager ofServer(Path file) {
    return new SameCertificate(file);
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

  /** Accepts one certificate, so that neither its issuer nor the host's name decides anything. */
  private static final class SameCertificate extends X509ExtendedTrustManager {
    private final Path file;

    SameCertificate(Path file) {
      this.file = file;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      try {
        X509Certificate own = PemFiles.certificates(file, PemFiles.read(file)).get(0);
        if (chain.length == 0 || !chain[0].equals(own)) {
          throw new CertificateException(
              "the server's certificate is not the one in its file " + file);
        }
      } catch (CertificateFileException e) {
        throw new CertificateException(e.getMessage(), e);
      }
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

package dev.bridle.cli.tls;

import dev.bridle.cli.console.Timeouts;
import dev.bridle.proof.hash.Sha256;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** The public key of a server, by which others can recognize it without a CA. */
public final class ServerPin {
  private static final int HTTPS_PORT = 443;

  private ServerPin() {}

  /** Returns the SHA-256 of the SubjectPublicKeyInfo of a certificate. */
  static Sha256 of(Certificate certificate) {
    return Sha256.of(certificate.getPublicKey().getEncoded());
  }

  /**
   * Connects to a server, checks its certificate and its name, and returns its pin.
   *
   * @param trust which servers are trusted; if absent, those that Java trusts
   * @throws IOException if there is no such server, or it is not trusted
   */
  public static Sha256 of(URI server, Optional<SSLContext> trust) throws IOException {
    int port = server.getPort() < 0 ? HTTPS_PORT : server.getPort();
    int millis = (int) Timeouts.CONNECT.toMillis();
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(server.getHost(), port), millis);
      plain.setSoTimeout(millis);
      try (SSLSocket socket =
          (SSLSocket)
              trust
                  .orElse(SSLContext.getDefault())
                  .getSocketFactory()
                  .createSocket(plain, server.getHost(), port, true)) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return of(socket.getSession().getPeerCertificates()[0]);
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }
}

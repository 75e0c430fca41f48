package dev.bridle.core.work.oauth.external;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.Ed25519Signer;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer on this machine: a real HTTP server that publishes keys, and real signatures. */
final class RealIssuer implements AutoCloseable {
  private final HttpServer server;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile int status = 200;
  private volatile byte[] body = "{\"keys\":[]}".getBytes(UTF_8);

  RealIssuer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/keys",
        exchange -> {
          asked.incrementAndGet();
          byte[] answer = body;
          exchange.getResponseHeaders().add("Location", "/other");
          exchange.sendResponseHeaders(status, answer.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
          } catch (IOException broken) {
            exchange.close(); // The reader has had enough of it.
          }
        });
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/keys";
  }

  int asked() {
    return asked.get();
  }

  void answers(int code, byte[] bytes) {
    status = code;
    body = bytes;
  }

  void publishes(JWK... keys) {
    answers(200, new JWKSet(java.util.List.of(keys)).toString(true).getBytes(UTF_8));
  }

  static String sign(JWK key, JWSAlgorithm algorithm, JWTClaimsSet claims) throws JOSEException {
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), claims);
    token.sign(signer(key));
    return token.serialize();
  }

  private static JWSSigner signer(JWK key) throws JOSEException {
    if (key instanceof RSAKey rsa) {
      return new RSASSASigner(rsa);
    }
    return key instanceof ECKey ec ? new ECDSASigner(ec) : new Ed25519Signer((OctetKeyPair) key);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

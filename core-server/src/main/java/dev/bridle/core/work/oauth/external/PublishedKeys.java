package dev.bridle.core.work.oauth.external;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import dev.bridle.core.kernel.outbound.OutboundClient;
import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundRequest;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Map;
import java.util.concurrent.CompletionException;

/** A JWK set at a URL or in a file. Redirects are not followed. */
final class PublishedKeys implements JWKSetSource<SecurityContext> {
  static final int MAX_BYTES = 256 * 1024;

  private static final int MAX_KEYS = 100;
  private static final Map<String, String> HEADERS =
      Map.of("Accept", "application/jwk-set+json, application/json");

  private final URI location;
  private final OutboundClient client;

  PublishedKeys(URI location, OutboundClient client) {
    this.location = location;
    this.client = client;
  }

  @Override
  public JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator refresh, long currentTime, SecurityContext context)
      throws JWKSetUnavailableException {
    try {
      byte[] bytes = "file".equals(location.getScheme()) ? read(Path.of(location)) : get();
      if (bytes.length > MAX_BYTES) {
        throw new JWKSetUnavailableException("the JWK set is longer than " + MAX_BYTES + " bytes");
      }
      JWKSet keys = JWKSet.parse(new String(bytes, StandardCharsets.UTF_8));
      if (keys.size() > MAX_KEYS) {
        throw new JWKSetUnavailableException("the JWK set has more than " + MAX_KEYS + " keys");
      }
      return keys;
    } catch (ParseException e) {
      throw new JWKSetUnavailableException("there is no JWK set", e);
    } catch (IOException e) {
      throw new JWKSetUnavailableException("the file can't be read: " + e.getMessage(), e);
    }
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_BYTES + 1);
    }
  }

  private byte[] get() throws JWKSetUnavailableException {
    try {
      OutboundResponse answer =
          client
              .send(
                  new OutboundRequest(
                      OutboundRequest.Method.GET,
                      client.check(location.toString()),
                      HEADERS,
                      new byte[0]),
                  MAX_BYTES + 1)
              .join();
      if (answer.status() != 200) {
        throw new JWKSetUnavailableException("the response is " + answer.status());
      }
      return answer.body();
    } catch (CompletionException e) {
      throw new JWKSetUnavailableException("the call " + e.getCause().getMessage(), e);
    } catch (OutboundException e) {
      throw new JWKSetUnavailableException("the URL " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {}
}

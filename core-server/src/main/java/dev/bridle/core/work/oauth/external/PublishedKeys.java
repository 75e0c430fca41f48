package dev.bridle.core.work.oauth.external;

import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A JWK set at a URL or in a file. Redirects are not followed. */
final class PublishedKeys implements KeySource {
  static final int MAX_BYTES = 256 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MAX_KEYS = 100;

  private final URI at;
  private final HttpClient http;

  PublishedKeys(URI at) {
    this.at = at;
    this.http =
        HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public JWKSet fetch() throws IOException {
    byte[] bytes = "file".equals(at.getScheme()) ? read(Path.of(at)) : get();
    try {
      JWKSet keys = JWKSet.parse(new String(bytes, StandardCharsets.UTF_8));
      if (keys.size() > MAX_KEYS) {
        throw new IOException("there are more than " + MAX_KEYS + " keys");
      }
      return keys;
    } catch (ParseException e) {
      throw new IOException("there is no JWK set", e);
    }
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("the file is longer than " + MAX_BYTES + " bytes");
      }
      return bytes;
    }
  }

  private byte[] get() throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(at)
            .timeout(PATIENCE)
            .header("Accept", "application/jwk-set+json, application/json")
            .build();
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, info -> new BoundedBody(MAX_BYTES));
    try {
      // The request's own time-out ends with the headers, and a body may trickle for ever.
      HttpResponse<byte[]> response = answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() != 200) {
        throw new IOException("the answer is " + response.statusCode());
      }
      return response.body();
    } catch (ExecutionException e) {
      throw new IOException("it can't be fetched: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException("it did not come in " + PATIENCE.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      answer.cancel(true);
    }
  }
}

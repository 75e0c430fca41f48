package dev.bridle.core.kernel.outbound;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The response to an outbound request.
 *
 * @param status the HTTP status
 * @param headers all headers, by lower-case name
 * @param body the body, up to the limit
 * @param cut whether the body was truncated
 */
@SuppressWarnings("ArrayRecordComponent") // Responses are never compared.
public record OutboundResponse(
    int status, Map<String, List<String>> headers, byte[] body, boolean cut) {
  private static final int OK = 200;
  private static final int REDIRECTS = 300;

  /** Copies the headers. */
  public OutboundResponse {
    headers = Map.copyOf(headers);
  }

  /** Returns whether the status is 2xx; a redirect is not a success. */
  public boolean ok() {
    return status >= OK && status < REDIRECTS;
  }

  /** Returns the first value of a header. */
  public Optional<String> header(String name) {
    return headers.getOrDefault(name, List.of()).stream().findFirst();
  }

  @Override
  public String toString() {
    return status + ", " + body.length + " bytes" + (cut ? " and more" : "");
  }
}

package dev.bridle.core.kernel.outbound;

import java.util.Map;

/**
 * An outbound HTTP request.
 *
 * @param method {@code GET} or {@code POST}
 * @param url the target
 * @param headers the headers, without {@code Host} and {@code Content-Length}
 * @param body the body; empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // Requests are never compared.
public record OutboundRequest(
    Method method, OutboundUrl url, Map<String, String> headers, byte[] body) {
  /** The methods that are used. */
  public enum Method {
    GET,
    POST
  }

  /** Copies the headers. */
  public OutboundRequest {
    headers = Map.copyOf(headers);
  }

  /** Shows the host only: headers and bodies may hold secrets. */
  @Override
  public String toString() {
    return method + " " + url;
  }
}

package dev.bridle.core.kernel.outbound;

import java.util.Map;

/**
 * What is sent.
 *
 * @param method {@code GET} or {@code POST}
 * @param url where to
 * @param headers what stands above the body; never {@code Host} or a length
 * @param body what stands below; empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares requests.
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

  /** Names the host alone: headers and bodies may hold secrets. */
  @Override
  public String toString() {
    return method + " " + url;
  }
}

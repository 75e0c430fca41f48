package dev.bridle.core.kernel.outbound;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came back.
 *
 * @param status the HTTP status
 * @param headers all headers, by their names in lower case
 * @param body as much of the body as is read
 * @param cut whether there was more of it
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares answers.
public record OutboundAnswer(
    int status, Map<String, List<String>> headers, byte[] body, boolean cut) {
  private static final int OK = 200;
  private static final int REDIRECTS = 300;

  /** Copies the headers. */
  public OutboundAnswer {
    headers = Map.copyOf(headers);
  }

  /** Returns whether the other side took what was sent; a redirect is no yes. */
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

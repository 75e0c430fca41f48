package dev.bridle.core.integrations.phone;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;

/** The URL of the HARP gateway, where phones find the page. Known once that listens. */
public final class PhoneAddress {
  private volatile Optional<String> url = Optional.empty();

  /** Says under which URL phones reach the HARP gateway that serves the page. */
  public void reachedAt(URI gateway) {
    String text = gateway.toString();
    url = Optional.of(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
  }

  /**
   * Returns the URL, without a slash at the end; {@code conflict} if there is none that a browser
   * lets make keys: by TLS, or on this machine.
   */
  String need() {
    String known =
        url.orElseThrow(
            () ->
                unreachable(
                    "This server serves no HARP, over which phones are asked: start it with"
                        + " --harp-port."));
    URI uri = URI.create(known);
    if ("http".equals(uri.getScheme()) && !isLoopback(uri.getHost())) {
      throw unreachable(
          "Phones make keys on pages with TLS only, and HARP is at "
              + known
              + ": start the server with --harp-tls-cert, or --harp-public-url with https.");
    }
    return known;
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static ProtocolException unreachable(String sentence) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, sentence);
  }
}

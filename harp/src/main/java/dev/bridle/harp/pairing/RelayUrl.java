package dev.bridle.harp.pairing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.harp.document.Shape;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.util.Locale;

/**
 * The URL of a relay. Both sides hash it as text, so it has one spelling: scheme and host in lower
 * case, an optional port and path, no slash at the end, nothing else.
 */
final class RelayUrl {
  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  private static final int MAX_PORT = 65_535;

  private RelayUrl() {}

  /**
   * Checks a URL.
   *
   * @throws HarpException {@code TRANSPORT} if it is none, or is spelled in another way
   */
  static void check(String url) throws HarpException {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      throw malformed();
    }
    if (url.length() > Shape.MAX_TEXT
        || url.endsWith("/")
        || uri.getHost() == null
        || uri.getPort() == 0
        || uri.getPort() > MAX_PORT
        || !uri.toASCIIString().equals(url)
        || !spell(uri.normalize()).equals(url)) {
      throw malformed();
    }
  }

  /** Returns whether a relay is reached by TLS. */
  static boolean usesTls(String url) {
    return url.startsWith("https:");
  }

  private static String spell(URI uri) throws HarpException {
    String scheme = uri.getScheme();
    if (!"https".equals(scheme) && !"http".equals(scheme)) {
      throw malformed();
    }
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + port + uri.getRawPath();
  }

  /** Returns a URL with all but the unreserved characters of RFC 3986 percent-encoded. */
  static String encode(String url) {
    StringBuilder text = new StringBuilder();
    for (byte each : url.getBytes(UTF_8)) {
      if (UNRESERVED.indexOf(each) >= 0) {
        text.append((char) each);
      } else {
        text.append(String.format(Locale.ROOT, "%%%02X", each));
      }
    }
    return text.toString();
  }

  /**
   * Decodes a URL.
   *
   * @throws HarpException {@code TRANSPORT} if {@link #encode} would write it otherwise, or it is
   *     none that {@link #check} accepts
   */
  static String decode(String text) throws HarpException {
    String url;
    try {
      url = URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw malformed();
    }
    if (!encode(url).equals(text)) {
      throw malformed();
    }
    check(url);
    return url;
  }

  private static HarpException malformed() {
    return new HarpException(
        HarpErrorCode.TRANSPORT,
        "schema",
        "The relay's URL must be http or https, a host in lower case, an optional port and path,"
            + " without a slash at the end.");
  }
}

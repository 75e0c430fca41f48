package dev.bridle.core.kernel.outbound;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The parsed target of an outbound call. Requests are built from these members, never from the text
 * again, so that no second parser can read it differently.
 *
 * @param secure whether the connection is encrypted
 * @param host a name in lower case without a last dot, or an IP address
 * @param port the port
 * @param path path and query
 */
public record OutboundUrl(boolean secure, String host, int port, String path) {
  /** The longest URL. */
  public static final int LONGEST = 2048;

  private static final int LONGEST_HOST = 253;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final int FIRST_FREE_PORT = 1024;
  private static final int LAST_PORT = 65_535;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
  private static final Pattern OCTET =
      Pattern.compile("0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5]");

  /** Parses a URL; throws an {@link OutboundException} that says what is wrong with it. */
  public static OutboundUrl parse(String text) {
    URI uri = uri(text);
    boolean secure = "https".equalsIgnoreCase(uri.getScheme());
    need(secure || "http".equalsIgnoreCase(uri.getScheme()), "begins with neither https nor http");
    need(uri.getRawUserInfo() == null, "has a user's name in it");
    need(uri.getRawFragment() == null, "has a fragment");
    need(uri.getHost() != null, "has no host, or one that can't be read");
    int port = uri.getPort() < 0 ? secure ? HTTPS : HTTP : uri.getPort();
    need(
        port == HTTP || port == HTTPS || (port >= FIRST_FREE_PORT && port <= LAST_PORT),
        "has a port other than 80, 443 and those from 1024 on");
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return new OutboundUrl(secure, host(uri.getHost()), port, path + query);
  }

  private static URI uri(String text) {
    need(text.length() <= LONGEST, "is longer than " + LONGEST + " characters");
    need(text.chars().allMatch(c -> c > ' ' && c < 0x7f), "has characters other than ASCII's");
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw refused("is no URL");
    }
  }

  private static String host(String given) {
    if (given.startsWith("[")) {
      String address = given.substring(1, given.length() - 1);
      need(
          address.indexOf('%') < 0 && NetUtil.isValidIpV6Address(address),
          "has a host that is no IPv6 address");
      return AddressRange.address(NetUtil.createByteArrayFromIpAddressString(address))
          .getHostAddress();
    }
    String lower = given.toLowerCase(Locale.ROOT);
    String host = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    if (isIpv4(host)) {
      return host;
    }
    need(host.length() <= LONGEST_HOST, "has a host that is too long");
    String last = host.substring(host.lastIndexOf('.') + 1);
    // Some resolvers parse such a name as an IPv4 address in an unusual base or length.
    need(!NUMBER.matcher(last).matches(), "has a host that ends in a number");
    for (String label : host.split("\\.", -1)) {
      need(LABEL.matcher(label).matches(), "has a host that is no name");
    }
    return host;
  }

  /** Returns whether a text is an IPv4 address in its one plain spelling. */
  static boolean isIpv4(String text) {
    String[] octets = text.split("\\.", -1);
    if (octets.length != 4) {
      return false;
    }
    for (String octet : octets) {
      if (!OCTET.matcher(octet).matches()) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the host is this machine: a loopback address, or {@code localhost}. */
  public boolean isLoopback() {
    return host.equals("localhost") || literal().filter(InetAddress::isLoopbackAddress).isPresent();
  }

  /** Returns the host's address, if the host is an IP literal. */
  Optional<InetAddress> literal() {
    return isIpv4(host) || host.indexOf(':') >= 0
        ? Optional.of(AddressRange.address(NetUtil.createByteArrayFromIpAddressString(host)))
        : Optional.empty();
  }

  private static void need(boolean holds, String otherwise) {
    if (!holds) {
      throw refused(otherwise);
    }
  }

  private static OutboundException refused(String what) {
    return new OutboundException(OutboundException.Reason.REFUSED_URL, what);
  }

  /** Shows the host only: paths and queries may hold secrets. */
  @Override
  public String toString() {
    return (secure ? "https://" : "http://") + host + ":" + port;
  }
}

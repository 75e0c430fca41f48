package dev.bridle.cli.tls;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The names by which clients reach this machine. */
final class Names {
  private static final Pattern DNS =
      Pattern.compile(
          "(?:\\*\\.)?[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
              + "(?:\\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*");
  private static final Pattern IPV4 = Pattern.compile("[0-9]+(?:\\.[0-9]+){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  private Names() {}

  /** Returns whether a text is an IP address; no name is looked up for it. */
  static boolean isAddress(String text) {
    if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
      return false;
    }
    try {
      return InetAddress.getByName(text) != null;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Returns whether a certificate can be for a text. */
  static boolean isName(String text) {
    return isAddress(text)
        || (DNS.matcher(text).matches() && text.length() <= 253 && !IPV4.matcher(text).matches());
  }

  /** Returns the loopback names, the host's name, and its addresses in the local network. */
  static List<String> ofThisMachine() {
    Set<String> names = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "::1"));
    try {
      String host = InetAddress.getLocalHost().getHostName();
      if (isName(host)) {
        names.add(host);
      }
    } catch (UnknownHostException e) {
      // A host without a name is reached by its addresses.
    }
    try {
      for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
        each.inetAddresses()
            .filter(address -> address.isSiteLocalAddress())
            .forEach(address -> names.add(address.getHostAddress()));
      }
    } catch (SocketException e) {
      // The names so far do.
    }
    return new ArrayList<>(names);
  }
}

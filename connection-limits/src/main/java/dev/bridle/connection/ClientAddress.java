package dev.bridle.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The address that a client's connections are counted for.
 *
 * @param name an IPv4 address, or the /64 network of an IPv6 address, since one machine usually has
 *     all of it
 * @param isExempt whether the bounds per address do not apply: programs on the same machine, a
 *     reverse proxy among them, all have one address
 */
public record ClientAddress(String name, boolean isExempt) {
  private static final int NETWORK_BYTES = 8;

  /** Returns what an address is counted for. */
  public static ClientAddress of(InetAddress address) {
    byte[] bytes = address.getAddress();
    byte[] counted = address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes;
    return new ClientAddress(HexFormat.of().formatHex(counted), address.isLoopbackAddress());
  }
}

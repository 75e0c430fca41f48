package dev.bridle.core.kernel.outbound;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A range of addresses, as {@code 10.0.0.0/8} or {@code fd00::/8}; a single address is a range of
 * one.
 */
public final class AddressRange {
  private final InetAddress network;
  private final int bits;

  private AddressRange(InetAddress network, int bits) {
    this.network = network;
    this.bits = bits;
  }

  /** Parses a range; throws {@link IllegalArgumentException} if it is invalid. */
  public static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    InetAddress network = literal(address);
    // Java converts a mapped address to IPv4, which would change the meaning of the prefix length.
    if (network.getAddress().length == 4 && address.indexOf(':') >= 0) {
      throw new IllegalArgumentException(text + " is a mapped address; write it as IPv4");
    }
    int most = network.getAddress().length * Byte.SIZE;
    int bits = slash < 0 ? most : bits(text, text.substring(slash + 1), most);
    for (int bit = bits; bit < most; bit++) {
      if (bit(network.getAddress(), bit)) {
        throw new IllegalArgumentException(text + " has bits set behind its length");
      }
    }
    return new AddressRange(network, bits);
  }

  private static int bits(String text, String given, int most) {
    boolean digits = given.matches("[0-9]{1,3}");
    if (!digits || Integer.parseInt(given) > most) {
      throw new IllegalArgumentException(text + " has no length from 0 to " + most);
    }
    return Integer.parseInt(given);
  }

  private static InetAddress literal(String text) {
    boolean known =
        OutboundUrl.isIpv4(text)
            || (text.indexOf('%') < 0 && text.indexOf('[') < 0 && NetUtil.isValidIpV6Address(text));
    if (!known) {
      throw new IllegalArgumentException(text + " is no IP address");
    }
    return address(NetUtil.createByteArrayFromIpAddressString(text));
  }

  static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("addresses have 4 or 16 bytes", e);
    }
  }

  /** Returns whether an address lies in the range. */
  public boolean contains(InetAddress address) {
    byte[] own = network.getAddress();
    byte[] other = address.getAddress();
    if (own.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      if (bit(own, bit) != bit(other, bit)) {
        return false;
      }
    }
    return true;
  }

  private static boolean bit(byte[] bytes, int bit) {
    return (bytes[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1) == 1;
  }

  @Override
  public String toString() {
    return network.getHostAddress() + "/" + bits;
  }
}

package dev.bridle.core.kernel.outbound;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides which addresses the server may connect to: public ones, and ranges that its operator
 * allows. The other ranges of IANA's special-purpose registries are private networks or not
 * routable.
 */
public final class AddressGuard {
  private static final List<AddressRange> NOT_PUBLIC =
      ranges(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "168.63.129.16/32", // Azure's virtual address for platform services.
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4",
          "2001::/23",
          "2001:db8::/32",
          "2002::/16",
          "3fff::/20");

  /** The IPv6 global unicast range; all others are special. */
  private static final AddressRange GLOBAL_UNICAST = AddressRange.parse("2000::/3");

  private static final AddressRange COMPATIBLE = AddressRange.parse("::/96");
  private static final AddressRange TRANSLATED = AddressRange.parse("64:ff9b::/96");
  private static final AddressRange SIX_TO_FOUR = AddressRange.parse("2002::/16");

  private final List<AddressRange> allowed;

  /**
   * Creates a guard.
   *
   * @param allowed ranges that an operator allows beside public addresses
   */
  public AddressGuard(List<AddressRange> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  private static List<AddressRange> ranges(String... texts) {
    return Stream.of(texts).map(AddressRange::parse).toList();
  }

  /** Returns whether the operator allows any range. */
  public boolean allowsSome() {
    return !allowed.isEmpty();
  }

  /** Returns whether an address may be connected to. */
  public boolean permits(InetAddress address) {
    return (isPublic(address) || isAllowed(address))
        && embedded(address).stream().allMatch(this::isReachable);
  }

  /**
   * Returns whether unencrypted connections to an address are allowed: only for the operator's
   * ranges.
   */
  public boolean permitsPlain(InetAddress address) {
    return isAllowed(address) && permits(address);
  }

  private boolean isReachable(InetAddress address) {
    return isPublic(address) || isAllowed(address);
  }

  private boolean isAllowed(InetAddress address) {
    return allowed.stream().anyMatch(range -> range.contains(address));
  }

  private static boolean isPublic(InetAddress address) {
    return (!(address instanceof Inet6Address) || GLOBAL_UNICAST.contains(address))
        && NOT_PUBLIC.stream().noneMatch(range -> range.contains(address));
  }

  /** Returns the IPv4 address that an IPv6 transition address embeds. */
  private static Optional<InetAddress> embedded(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return Optional.empty();
    }
    byte[] bytes = address.getAddress();
    if (SIX_TO_FOUR.contains(address)) {
      return Optional.of(AddressRange.address(Arrays.copyOfRange(bytes, 2, 6)));
    }
    boolean own = address.isLoopbackAddress() || address.isAnyLocalAddress();
    return TRANSLATED.contains(address) || (COMPATIBLE.contains(address) && !own)
        ? Optional.of(AddressRange.address(Arrays.copyOfRange(bytes, 12, 16)))
        : Optional.empty();
  }
}

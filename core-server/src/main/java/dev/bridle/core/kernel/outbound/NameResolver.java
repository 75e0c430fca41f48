package dev.bridle.core.kernel.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks up the addresses of hosts. */
@FunctionalInterface
public interface NameResolver {
  /** The machine's own. */
  NameResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  /** Returns a host's addresses, at least one. */
  List<InetAddress> addresses(String host) throws UnknownHostException;
}

package dev.bridle.core.kernel.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves hosts to addresses. */
@FunctionalInterface
public interface NameResolver {
  /** The resolver of the operating system. */
  NameResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  /** Returns a host's addresses, at least one. */
  List<InetAddress> addresses(String host) throws UnknownHostException;
}

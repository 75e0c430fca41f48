package dev.bridle.core.kernel.call;

import dev.bridle.connection.ClientAddress;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;

/**
 * The network that a call comes from: an IPv4 address, or the /64 network of an IPv6 address. Calls
 * from the same process come from none; a gateway there bounds its own clients.
 */
public final class CallNetwork {
  private static final Context.Key<String> CURRENT = Context.key("bridle-network");

  private CallNetwork() {}

  /** Returns whether a call comes over a network, and not from this process. */
  static boolean isOutside(Attributes call) {
    return call.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress;
  }

  static Context in(Context context, Attributes call) {
    SocketAddress address = call.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    return address instanceof InetSocketAddress socket && socket.getAddress() != null
        ? in(context, ClientAddress.of(socket.getAddress()).name())
        : context;
  }

  /** Returns a context in which a network is that of the current call. */
  public static Context in(Context context, String network) {
    return context.withValue(CURRENT, network);
  }

  /** Returns the network of the current call; empty for one from the same process. */
  public static Optional<String> current() {
    return Optional.ofNullable(CURRENT.get());
  }
}

package dev.bridle.gateway.kit.listener;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.bridle.gateway.kit.call.RequestIds;
import dev.bridle.gateway.kit.error.ErrorFormat;
import dev.bridle.gateway.kit.error.ProtocolError;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Takes requests of a listener that only this machine reaches if they name this machine. A page of
 * another site can make its name lead here (DNS rebinding), and a browser then sends that name.
 */
final class HostCheck {
  private static final int MISDIRECTED = 421;
  private static final Pattern IPV4 = Pattern.compile("[0-9.]+");

  /** The names beside those of this machine; empty if any name is taken. */
  private final Optional<Set<String>> names;

  private final ErrorFormat errors;

  private HostCheck(Optional<Set<String>> names, ErrorFormat errors) {
    this.names = names;
    this.errors = errors;
  }

  /** Returns the check of a listener. */
  static HostCheck of(ListenerOptions options, ErrorFormat errors) {
    if (!isLoopback(options.host())) {
      return new HostCheck(Optional.empty(), errors);
    }
    Set<String> names = new HashSet<>();
    options.allowedHosts().forEach(name -> names.add(lower(name)));
    options.publicUrl().map(URI::getHost).ifPresent(name -> names.add(lower(name)));
    return new HostCheck(Optional.of(Set.copyOf(names)), errors);
  }

  /** Returns the answer to a request that is for somebody else; empty if it is for this server. */
  Optional<HttpResponse> refusal(ServiceRequestContext ctx, HttpRequest request) {
    Optional<String> named = Optional.ofNullable(request.authority()).map(HostCheck::name);
    return named.isEmpty() || names.isEmpty() || allows(names.get(), named.get())
        ? Optional.empty()
        : Optional.of(
            errors.response(
                ProtocolError.ofStatus(
                    MISDIRECTED,
                    "This server listens on this machine only, and the request is for another name"
                        + " than localhost. If clients reach it by that name, start it with"
                        + " --allowed-host NAME."),
                RequestIds.of(ctx)));
  }

  private static boolean allows(Set<String> names, String name) {
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || names.contains(name)
        || (isLiteral(name) && isLoopback(name));
  }

  /** Only addresses: a name would be looked up, and may be anybody's. */
  private static boolean isLiteral(String name) {
    return IPV4.matcher(name).matches() || name.startsWith("[");
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Returns the host of an authority, without the port and a final dot. */
  private static String name(String authority) {
    int colon = authority.lastIndexOf(':');
    boolean hasPort = colon > authority.lastIndexOf(']');
    String host = lower(hasPort ? authority.substring(0, colon) : authority);
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}

package dev.bridle.gateway.kit.listener;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
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
final class HostCheck extends SimpleDecoratingHttpService {
  private static final int MISDIRECTED = 421;
  private static final Pattern IPV4 = Pattern.compile("[0-9.]+");

  private final Set<String> names;
  private final ErrorFormat errors;

  private HostCheck(HttpService service, Set<String> names, ErrorFormat errors) {
    super(service);
    this.names = names;
    this.errors = errors;
  }

  /** Adds the check to a service, where only this machine reaches its listener. */
  static HttpService over(HttpService service, ListenerOptions options, ErrorFormat errors) {
    if (!isLoopback(options.host())) {
      return service;
    }
    Set<String> names = new HashSet<>();
    options.allowedHosts().forEach(name -> names.add(lower(name)));
    options.publicUrl().map(URI::getHost).ifPresent(name -> names.add(lower(name)));
    return new HostCheck(service, Set.copyOf(names), errors);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
    Optional<String> named = Optional.ofNullable(request.authority()).map(HostCheck::name);
    if (named.isPresent() && !allows(named.get())) {
      return errors.response(
          ProtocolError.ofStatus(
              MISDIRECTED,
              "This server listens on this machine only, and the request is for another name than"
                  + " localhost. If clients reach it by that name, start it with --allowed-host"
                  + " NAME."),
          RequestIds.of(ctx));
    }
    return unwrap().serve(ctx, request);
  }

  private boolean allows(String name) {
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

package dev.bridle.gateway.kit.socket;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The origins whose pages may open a WebSocket: the request's host, the public URL, and a list.
 * Clients other than browsers send no origin and are allowed.
 */
public final class Origins {

  private static final String ANY = "*";

  private final Set<String> allowed;
  private final Supplier<String> publicUrl;

  /** Allows these origins in addition to the gateway's own. */
  public Origins(Set<String> allowed, Supplier<String> publicUrl) {
    this.allowed =
        allowed.stream()
            .map(origin -> origin.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
    this.publicUrl = publicUrl;
  }

  /** Requires that a request has no origin or an allowed one. */
  public void check(RequestHeaders headers) {
    List<String> given = headers.getAll(HttpHeaderNames.ORIGIN);
    if (given.isEmpty() || allowed.contains(ANY)) {
      return;
    }
    String origin = given.get(0).toLowerCase(Locale.ROOT);
    if (given.size() == 1 && (allowed.contains(origin) || isOwn(origin, headers.authority()))) {
      return;
    }
    throw new ProtocolException(
        ProtocolError.of(
                ErrorCode.ERROR_CODE_PERMISSION_DENIED,
                "This origin is not allowed to open WebSockets.")
            .blaming("Origin"));
  }

  private boolean isOwn(String origin, String authority) {
    Optional<URI> from = uri(origin);
    if (from.isEmpty()) {
      return false;
    }
    String scheme = from.get().getScheme();
    // A proxy may terminate TLS, so both schemes are accepted.
    return same(from.get(), uri(scheme + "://" + authority))
        || uri(publicUrl.get())
            .filter(url -> scheme.equalsIgnoreCase(url.getScheme()))
            .filter(url -> same(from.get(), Optional.of(url)))
            .isPresent();
  }

  private static boolean same(URI one, Optional<URI> other) {
    return other
        .filter(uri -> one.getHost().equalsIgnoreCase(uri.getHost()))
        .filter(uri -> port(one) == port(uri))
        .isPresent();
  }

  private static int port(URI uri) {
    boolean secure = "https".equalsIgnoreCase(uri.getScheme());
    return uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
  }

  private static Optional<URI> uri(String text) {
    try {
      URI uri = new URI(text);
      return uri.getScheme() == null || uri.getHost() == null ? Optional.empty() : Optional.of(uri);
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}

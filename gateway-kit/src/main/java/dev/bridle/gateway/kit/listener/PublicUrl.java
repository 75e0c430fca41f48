package dev.bridle.gateway.kit.listener;

import java.net.URI;
import java.util.function.Supplier;

/**
 * The base URL in agent cards and links: the configured one, or else the one that the gateway
 * listens on.
 */
public final class PublicUrl implements Supplier<String> {

  private final ListenerOptions options;
  private volatile String url;

  /** Creates the URL of a gateway with these options. */
  public PublicUrl(ListenerOptions options) {
    this.options = options;
    this.url = options.publicUrl().map(PublicUrl::bare).orElse("");
  }

  /** Stores the port and returns the URL that the gateway listens on. */
  URI listening(int port) {
    String host = options.host();
    boolean anywhere = host.equals("0.0.0.0") || host.equals("::");
    String shown = anywhere ? "localhost" : host.contains(":") ? "[" + host + "]" : host;
    String scheme = options.certificate().isPresent() ? "https" : "http";
    URI listening = URI.create(scheme + "://" + shown + ":" + port);
    if (options.publicUrl().isEmpty()) {
      url = listening.toString();
    }
    return listening;
  }

  @Override
  public String get() {
    return url;
  }

  private static String bare(URI given) {
    String text = given.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }
}

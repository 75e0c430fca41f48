package dev.bridle.core.integrations.enforcer.remote;

import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundUrl;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.TrustManager;

/**
 * A relay elsewhere.
 *
 * @param name the name by which devices are enrolled with it
 * @param url the base URL of its HTTP binding
 * @param enforcerId the id that this server has there
 * @param credential the credential of that enforcer
 * @param trust decides whether it is that relay; if absent, CAs that Java trusts do
 * @param tenants the tenants that may use it
 */
public record RelayTarget(
    String name,
    OutboundUrl url,
    String enforcerId,
    RelayCredential credential,
    Optional<TrustManager> trust,
    Set<String> tenants) {
  /**
   * The id if nothing else is said. Not {@code bridle}: each relay of this software keeps that one
   * for the server that it is part of.
   */
  public static final String DEFAULT_ENFORCER = "bridle-server";

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");
  private static final int LONGEST_ID = 128;

  /**
   * Checks the members.
   *
   * @throws IllegalArgumentException with a clause that follows the relay's name
   */
  public RelayTarget {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("has a name that does not match " + NAME);
    }
    if (!url.secure() && !url.isLoopback()) {
      throw new IllegalArgumentException("needs an https URL: plaintext stays on this machine");
    }
    if (url.path().indexOf('?') >= 0) {
      throw new IllegalArgumentException("needs a URL without a query");
    }
    if (enforcerId.isBlank() || enforcerId.length() > LONGEST_ID) {
      throw new IllegalArgumentException("needs an enforcer's id of 1 to 128 characters");
    }
    tenants = Set.copyOf(tenants);
  }

  /**
   * Parses the base URL of a relay.
   *
   * @throws IllegalArgumentException with a clause that follows the relay's name
   */
  public static OutboundUrl url(String text) {
    try {
      return OutboundUrl.parse(text);
    } catch (OutboundException e) {
      throw new IllegalArgumentException("has a URL that " + e.getMessage(), e);
    }
  }

  /** Returns the URL of an endpoint below the base URL. */
  OutboundUrl at(String path) {
    String base = url.path().replaceAll("/+$", "");
    return new OutboundUrl(url.secure(), url.host(), url.port(), base + path);
  }

  /** Shows no credential. */
  @Override
  public String toString() {
    return "RelayTarget[" + name + ", " + url + "]";
  }
}

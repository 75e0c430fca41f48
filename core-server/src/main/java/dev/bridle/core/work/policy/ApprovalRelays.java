package dev.bridle.core.work.policy;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The relays elsewhere that devices may be enrolled with, as the server's operator allows.
 *
 * @param tenants the tenants that may use a relay, by the relay's name
 */
public record ApprovalRelays(Map<String, Set<String>> tenants) {
  /** No relay but the server's own. */
  public static final ApprovalRelays NONE = new ApprovalRelays(Map.of());

  /** Copies the names. */
  public ApprovalRelays {
    tenants =
        tenants.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, one -> Set.copyOf(one.getValue())));
  }

  /** Returns whether a tenant may use the relay of that name. */
  public boolean allows(String tenant, String relay) {
    return tenants.getOrDefault(relay, Set.of()).contains(tenant);
  }
}

package dev.bridle.core.integrations.enforcer.remote;

import dev.bridle.core.work.policy.ApprovalRelays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The relays elsewhere over which devices may be asked.
 *
 * @param all the relays, each with a name of its own
 */
public record RelayTargets(List<RelayTarget> all) {
  /** No relay but the server's own. */
  public static final RelayTargets NONE = new RelayTargets(List.of());

  /** Copies the relays. */
  public RelayTargets {
    all = List.copyOf(all);
  }

  /** Returns which tenants may use which relay. */
  public ApprovalRelays allowed() {
    Map<String, Set<String>> tenants =
        all.stream().collect(Collectors.toMap(RelayTarget::name, RelayTarget::tenants));
    return new ApprovalRelays(tenants);
  }
}

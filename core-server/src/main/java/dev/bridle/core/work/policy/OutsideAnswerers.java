package dev.bridle.core.work.policy;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.work.oauth.external.ExternalIssuer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tenants in which people whom other issuers vouch for can answer permission requests. Nobody
 * here knows who they are, so they count as others.
 *
 * @param tenants the ids of the tenants
 */
public record OutsideAnswerers(Set<String> tenants) {
  /** No issuers. */
  public static final OutsideAnswerers NONE = new OutsideAnswerers(Set.of());

  /** Copies the ids. */
  public OutsideAnswerers {
    tenants = Set.copyOf(tenants);
  }

  /** Returns those of issuers. */
  public static OutsideAnswerers of(List<ExternalIssuer> issuers) {
    Set<String> tenants = new HashSet<>();
    for (ExternalIssuer issuer : issuers) {
      Caller most = new Caller("", "", issuer.scopes(), Set.of(), false);
      if (issuer.scopes().isEmpty() || most.holds(Answerers.SCOPE)) {
        issuer.tenant().ifPresentOrElse(tenants::add, () -> tenants.addAll(issuer.tenants()));
      }
    }
    return new OutsideAnswerers(tenants);
  }
}

package dev.bridle.core.work.policy;

import dev.bridle.core.kernel.auth.ApiKeys;
import dev.bridle.core.kernel.auth.ScopeHolders;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.oauth.OAuthClients;
import dev.bridle.permission.v1.ApprovalDevice;
import dev.bridle.storage.ReadTransaction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who in a tenant can answer permission requests: holders of credentials, of devices, and of tokens
 * of other issuers.
 */
final class Answerers {
  static final String SCOPE = "permissions:respond";

  private final ScopeHolders holders;
  private final Set<String> tenantsWithOutsiders;

  Answerers(CoreContext context) {
    this.holders = new ScopeHolders(context.layout(), List.of(ApiKeys.KIND, OAuthClients.KIND));
    this.tenantsWithOutsiders = context.settings(OutsideAnswerers.class).tenants();
  }

  /**
   * Returns whether somebody else than some actors can answer requests. Which workspaces they reach
   * does not count: an actor could make one of its own.
   */
  boolean anyBut(
      ReadTransaction tr, String tenant, Configuration configuration, Set<String> actors) {
    return tenantsWithOutsiders.contains(tenant)
        || principals(configuration).stream().anyMatch(one -> !actors.contains(one))
        || holders.any(tr, tenant, SCOPE, one -> !actors.contains(one));
  }

  /** Returns whether more than one actor can answer requests. */
  boolean areSeveral(ReadTransaction tr, String tenant, Configuration configuration) {
    Set<String> actors = new HashSet<>(principals(configuration));
    return tenantsWithOutsiders.contains(tenant)
        || actors.size() > 1
        || holders.any(
            tr,
            tenant,
            SCOPE,
            one -> {
              actors.add(one);
              return actors.size() > 1;
            });
  }

  private static List<String> principals(Configuration configuration) {
    return ApprovalDevices.good(configuration).stream().map(ApprovalDevice::getPrincipal).toList();
  }
}

package dev.bridle.core.operations.admin;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.auth.CredentialStore;
import dev.bridle.core.kernel.auth.StoredCredential;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.tenant.Tenants;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Lists and revokes the credentials of tenants, of one kind. */
final class TenantCredentials {
  private static final int MAX_LISTED = 1000;

  private final CoreContext context;
  private final Tenants tenants;
  private final CredentialStore<?> credentials;

  TenantCredentials(CoreContext context, Tenants tenants, CredentialStore<?> credentials) {
    this.context = context;
    this.tenants = tenants;
    this.credentials = credentials;
  }

  /** Returns the tenant that a request names: the default one where it names none. */
  static String tenantOf(String named) {
    return named.isEmpty() ? Tenants.DEFAULT : named;
  }

  /**
   * Returns the credentials of a tenant, at most {@value #MAX_LISTED}.
   *
   * @param tenant the tenant; empty: all tenants
   * @param shown returns what is answered of a tenant's credential
   */
  <T> List<T> list(String tenant, BiFunction<String, StoredCredential, T> shown) {
    List<T> list = new ArrayList<>();
    for (String each : tenant.isEmpty() ? tenants.all(MAX_LISTED) : List.of(tenant)) {
      int room = MAX_LISTED - list.size();
      if (room > 0) {
        context
            .store()
            .read(
                tr -> {
                  var unused = tenants.need(tr, each);
                  return credentials.page(tr, each, Optional.empty(), room);
                })
            .records()
            .forEach(credential -> list.add(shown.apply(each, credential)));
      }
    }
    return list;
  }

  /**
   * Revokes a credential; {@code resource_not_found} where there is none of that id.
   *
   * @param object what one is called in that error
   * @param param the request's member that names it
   */
  StoredCredential revoke(String tenant, String id, String object, String param) {
    return context
        .commands()
        .once(
            tenant,
            Caller.current().actor(),
            write -> {
              var unused = tenants.need(write.tr(), tenant);
              return credentials
                  .revoke(write.tr(), tenant, id)
                  .orElseThrow(() -> ProtocolException.notFound(object, id).blaming(param));
            });
  }
}

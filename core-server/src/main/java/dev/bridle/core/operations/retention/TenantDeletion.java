package dev.bridle.core.operations.retention;

import dev.bridle.core.kernel.auth.TenantSecrets;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.TenantData;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * Deletes tenants. The first transaction closes the tenant's log, so that no more events are
 * appended, and marks the tenant; its record is removed last. So a deletion that a crash has
 * interrupted is detected and completed.
 */
public final class TenantDeletion {
  private static final int KEYS_AT_ONCE = 200;

  private final KeyValueStore store;
  private final Installation installation;
  private final Tenants tenants;
  private final List<TenantSecrets> secrets;
  private final EventLog log;
  private final TenantData data;
  private final Clock clock;

  public TenantDeletion(CoreContext context, Tenants tenants, List<TenantSecrets> secrets) {
    this.store = context.store();
    this.installation = context.installation();
    this.tenants = tenants;
    this.secrets = List.copyOf(secrets);
    this.log = context.log();
    this.data = new TenantData(context.layout());
    this.clock = context.clock();
  }

  /**
   * Deletes a tenant, or completes a deletion that has started; {@code resource_not_found} if there
   * is no such tenant.
   */
  void delete(String tenant) {
    long now = clock.millis();
    store.transact(
        tr -> {
          TenantRecord found =
              tenants
                  .record(tr, tenant)
                  .orElseThrow(
                      () -> ProtocolException.notFound("tenant", tenant).blaming("tenant_id"));
          if (found.getDeletingAt() == 0) {
            TenantRecord marked = found.toBuilder().setDeletingAt(now).build();
            installation.putTenant(tr, tenant, marked.toByteArray());
            log.close(tr, tenant);
          }
          return true;
        });
    finish(tenant);
  }

  /**
   * Completes a deletion that has started. Another process may complete it first, and a tenant of
   * the same name may be created then; its log is open, so it is left unchanged.
   */
  void finish(String tenant) {
    secrets.forEach(kind -> end(kind, tenant));
    data.removeFromSystem(store, tenant, tr -> log.isClosed(tr, tenant));
    store.transact(
        tr -> {
          if (log.isClosed(tr, tenant)) {
            data.clear(tr, tenant);
          }
          return true;
        });
    // Removes what concurrent calls have written meanwhile.
    data.removeFromSystem(store, tenant, tr -> log.isClosed(tr, tenant));
  }

  private void end(TenantSecrets kind, String tenant) {
    Optional<byte[]> after = Optional.empty();
    do {
      Optional<byte[]> from = after;
      after =
          store.transact(
              tr ->
                  log.isClosed(tr, tenant)
                      ? kind.forgetSecrets(tr, tenant, from, KEYS_AT_ONCE)
                      : Optional.empty());
    } while (after.isPresent());
  }
}

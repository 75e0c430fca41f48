package dev.bridle.core.operations.backup;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.permission.GrantRevocation;
import dev.bridle.core.work.permission.GrantStore;
import dev.bridle.core.work.permission.StandingGrants;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.permission.v1.PermissionGrant;
import dev.bridle.record.v1.PermissionGrantRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads and ends the standing grants of storage during a restore. */
public final class StoredGrants {
  private static final int AT_ONCE = 200;
  private static final String REASON = "restored from a backup";

  private final KeyValueStore store;
  private final GrantStore grants;
  private final SessionStore sessions;

  StoredGrants(KeyValueStore store, KeyLayout layout, EventLog log) {
    this.store = store;
    this.grants = new GrantStore(layout);
    this.sessions = new SessionStore(layout, log);
  }

  /**
   * A standing grant.
   *
   * @param tenant its tenant
   * @param grant the grant
   * @param holds whether it is in effect
   */
  public record Stored(String tenant, PermissionGrant grant, boolean holds) {}

  /** Returns the grants of a tenant, oldest first, including ended ones. */
  List<Stored> of(String tenant, long nowMillis) {
    List<Stored> all = new ArrayList<>();
    Optional<byte[]> after = Optional.empty();
    do {
      Optional<byte[]> from = after;
      RecordStore.Batch<PermissionGrantRecord> page =
          store.read(tr -> grants.page(tr, tenant, from, AT_ONCE));
      for (PermissionGrantRecord record : page.records()) {
        boolean holds = store.read(tr -> holds(tr, tenant, record.getGrant(), nowMillis));
        all.add(new Stored(tenant, record.getGrant(), holds));
      }
      after = page.next();
    } while (after.isPresent());
    return all;
  }

  /** Revokes all grants of a tenant that are in effect. Returns their number. */
  int end(String tenant, String actor, Commands commands, GrantRevocation revocation) {
    int ended = 0;
    Optional<byte[]> after = Optional.empty();
    do {
      Optional<byte[]> from = after;
      Ended page = commands.once(tenant, actor, write -> end(write, from, revocation));
      ended += page.count();
      after = page.next();
    } while (after.isPresent());
    return ended;
  }

  private record Ended(int count, Optional<byte[]> next) {}

  private Ended end(Write write, Optional<byte[]> after, GrantRevocation revocation) {
    RecordStore.Batch<PermissionGrantRecord> page =
        grants.page(write.tr(), write.tenant(), after, AT_ONCE);
    List<PermissionGrantRecord> holding =
        page.records().stream()
            .filter(
                record -> holds(write.tr(), write.tenant(), record.getGrant(), write.nowMillis()))
            .toList();
    holding.forEach(
        record -> {
          var unused = revocation.revoke(write, record, REASON);
        });
    return new Ended(holding.size(), page.next());
  }

  private boolean holds(ReadTransaction tr, String tenant, PermissionGrant grant, long nowMillis) {
    return StandingGrants.holds(grant, nowMillis)
        && sessions.open(tr, tenant, grant.getSessionId());
  }
}

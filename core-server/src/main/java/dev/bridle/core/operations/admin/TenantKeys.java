package dev.bridle.core.operations.admin;

import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.ImportedReceiptKey;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.receipt.CompromisedKeys;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.storage.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The keys of other installations that tenants have from imports. What concerns a key is written in
 * a transaction for each tenant that has it, and can be repeated.
 */
final class TenantKeys {
  private static final int MOST_TENANTS = 100_000;

  /** How many keys are answered with at most. */
  private static final int MOST_SHOWN = 1000;

  private final CoreContext context;
  private final Tenants tenants;
  private final ImportedKeys keys;

  TenantKeys(CoreContext context, Tenants tenants) {
    this.context = context;
    this.tenants = tenants;
    this.keys = new ImportedKeys(context.layout());
  }

  private interface Change {
    Optional<ReceiptKeyRecord> in(Transaction tr, String tenant);
  }

  /**
   * Keys of tenants.
   *
   * @param shown the first ones, by tenant: those that are confirmed before those that are not
   * @param leftOut how many more there are
   */
  record Listed(List<ImportedReceiptKey> shown, long leftOut) {}

  /** Returns the keys of all tenants. */
  Listed all() {
    List<ImportedReceiptKey> shown = new ArrayList<>();
    List<ImportedReceiptKey> unconfirmed = new ArrayList<>();
    long count = 0;
    for (String tenant : tenants.all(MOST_TENANTS)) {
      for (ReceiptKeyRecord key : context.store().read(tr -> keys.all(tr, tenant))) {
        List<ImportedReceiptKey> to = ImportedKeys.isConfirmed(key) ? shown : unconfirmed;
        if (to.size() < MOST_SHOWN) {
          to.add(shown(tenant, key));
        }
        count++;
      }
    }
    shown.addAll(unconfirmed.subList(0, Math.min(unconfirmed.size(), MOST_SHOWN - shown.size())));
    return new Listed(shown, count - shown.size());
  }

  /** Confirms a key wherever it is. Returns it for the first tenants. */
  List<ImportedReceiptKey> confirm(String id) {
    Optional<ReceiptKeyRecord> known =
        CompromisedKeys.in(context.store(), context.layout(), context.installation()).of(id);
    return change(
        (tr, tenant) -> {
          Optional<ReceiptKeyRecord> confirmed = keys.confirm(tr, tenant, id);
          return known
              .flatMap(
                  one ->
                      keys.declareCompromised(
                          tr, tenant, id, one.getCompromisedSince(), one.getDeclaredAt()))
              .or(() -> confirmed);
        });
  }

  /**
   * Declares a key compromised wherever it is, also where only its compromise is known. Returns it
   * for the first tenants, or for none.
   */
  List<ImportedReceiptKey> declareCompromised(String id, long since) {
    long now = context.clock().millis();
    List<ImportedReceiptKey> ofTenants = declareInTenants(id, since, now);
    return ofTenants.isEmpty()
        ? context
            .store()
            .transact(tr -> CompromisedKeys.declare(tr, context.installation(), id, since, now))
            .map(key -> shown("", key))
            .stream()
            .toList()
        : ofTenants;
  }

  private List<ImportedReceiptKey> declareInTenants(String id, long since, long now) {
    return change(
        (tr, tenant) -> {
          Optional<ReceiptKeyRecord> key = keys.declareCompromised(tr, tenant, id, since, now);
          key.ifPresent(
              one -> CompromisedKeys.declare(tr, context.installation(), one, since, now));
          return key;
        });
  }

  private List<ImportedReceiptKey> change(Change change) {
    List<ImportedReceiptKey> changed = new ArrayList<>();
    for (String tenant : tenants.all(MOST_TENANTS)) {
      context
          .store()
          .transact(
              tr -> {
                Optional<ReceiptKeyRecord> key = change.in(tr, tenant);
                key.ifPresent(one -> CompromisedKeys.note(tr, context.installation(), one));
                return key;
              })
          .filter(key -> changed.size() < MOST_SHOWN)
          .ifPresent(key -> changed.add(shown(tenant, key)));
    }
    return changed;
  }

  private static ImportedReceiptKey shown(String tenant, ReceiptKeyRecord key) {
    ImportedReceiptKey.Builder shown =
        ImportedReceiptKey.newBuilder()
            .setId(key.getId())
            .setTenantId(tenant)
            .setCreatedAt(Timestamps.fromMillis(key.getCreatedAt()))
            .setConfirmed(ImportedKeys.isConfirmed(key));
    if (key.getRetiredAt() != 0) {
      shown.setRetiredAt(Timestamps.fromMillis(key.getRetiredAt()));
    }
    if (key.getCompromisedSince() != 0) {
      shown.setCompromisedSince(Timestamps.fromMillis(key.getCompromisedSince()));
    }
    return shown.build();
  }
}

package dev.bridle.core.operations.portability;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.operations.portability.ImportFaults.SignedFile;
import dev.bridle.core.operations.portability.file.Header;
import dev.bridle.core.work.receipt.KeyInstallations;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.record.v1.ExportedTenant;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * The first write of an import: creates the tenant if there is none, and raises its era above those
 * of the file and of existing data, so that new events sort after both.
 */
final class ImportStart {
  /** A name keeps its era when its tenant is deleted, and nobody vouches for the file's. */
  private static final int MOST_UNVERIFIED_ERA = 60_000;

  private static final int MOST_ERAS = 0xffff;

  private final TransferStores stores;
  private final Tenants tenants;
  private final String tenant;
  private final ImportProgress progress;
  private final Clock clock;

  ImportStart(
      TransferStores stores, Tenants tenants, String tenant, ImportProgress progress, Clock clock) {
    this.stores = stores;
    this.tenants = tenants;
    this.tenant = tenant;
    this.progress = progress;
    this.clock = clock;
  }

  /**
   * How a file was judged.
   *
   * @param isUnverified whether it does not verify
   * @param takesUnverified whether it may be loaded then
   * @param signed the key of another installation, or one that this one has lost, that has signed
   *     it
   */
  record Judged(boolean isUnverified, boolean takesUnverified, Optional<SignedFile> signed) {}

  /**
   * Starts an import, or continues an earlier one.
   *
   * @param sourceEra the highest era in the file
   */
  ImportRecord begin(
      Header header, int sourceEra, Optional<ExportedTenant> exported, Judged judged) {
    boolean unverified = judged.isUnverified();
    stores
        .store()
        .read(
            tr -> {
              if (progress.find(tr).isEmpty()) {
                check(tr, header, sourceEra, unverified); // Before a tenant is made for it.
              }
              return true;
            });
    if (exported.isEmpty()) {
      tenants.ensure(tenant);
    }
    long now = clock.millis();
    boolean[] made = {false};
    ImportRecord begun =
        stores
            .store()
            .transact(
                tr -> {
                  Optional<ImportRecord> before = progress.find(tr);
                  if (before.isPresent()) {
                    Unverified.needSame(before.get(), judged);
                    bind(tr, judged, before.get().getUnverified());
                    return before.get();
                  }
                  check(tr, header, sourceEra, unverified);
                  bind(tr, judged, unverified);
                  made[0] = exported.isPresent() && make(tr, exported.get());
                  int era = Math.max(sourceEra, stores.log().era(tr, tenant)) + 1;
                  stores.log().raiseEra(tr, tenant, era);
                  ImportRecord record =
                      ImportRecord.newBuilder()
                          .setStartedAt(now)
                          .setEra(era)
                          .setUnverified(unverified)
                          .build();
                  progress.put(tr, record);
                  return record;
                });
    if (made[0]) {
      tenants.notifyCreated(tenant);
    }
    return begun;
  }

  /** Another import may have bound the key since the file was judged. */
  private void bind(Transaction tr, Judged judged, boolean unverified) {
    for (SignedFile by : unverified ? List.<SignedFile>of() : judged.signed().stream().toList()) {
      if (!KeyInstallations.bind(tr, stores.installation(), by.keyId(), by.installation())) {
        throw ImportFaults.signedByKeyOfAnother(by.keyId(), by.installation());
      }
    }
  }

  private void check(ReadTransaction tr, Header header, int sourceEra, boolean unverified) {
    new Unverified(stores, tenant).needRoom(tr, unverified);
    boolean exists = stores.installation().tenant(tr, tenant).isPresent();
    if (exists && stores.log().isClosed(tr, tenant)) {
      throw refused("The tenant is being deleted; import the file once it is gone.");
    }
    if (unverified && sourceEra > MOST_UNVERIFIED_ERA) {
      throw refused(
          "The file is of era "
              + sourceEra
              + ", which would leave the tenant few more; only a file that verifies is taken with"
              + " one above "
              + MOST_UNVERIFIED_ERA
              + ".");
    }
    if (Math.max(sourceEra, stores.log().era(tr, tenant)) >= MOST_ERAS) {
      throw refused("The tenant " + header.tenant() + " has used up its 65,535 eras.");
    }
  }

  private static ProtocolException refused(String sentence) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, sentence);
  }

  /** Returns whether a tenant was created; one of the same name may have been deleted before. */
  private boolean make(Transaction tr, ExportedTenant exported) {
    if (stores.installation().tenant(tr, tenant).isPresent()) {
      return false;
    }
    byte[] record = exported.getRecord().toByteArray();
    TenantRecord made =
        TransferStores.parse(TenantRecord.parser(), record).toBuilder().clearDeletingAt().build();
    stores.installation().putTenant(tr, tenant, made.toByteArray());
    stores.log().reopen(tr, tenant);
    if (!exported.getFloor().isEmpty()) {
      stores.events().raiseFloor(tr, tenant, "", Entries.eventId(exported.getFloor()));
    }
    return true;
  }
}

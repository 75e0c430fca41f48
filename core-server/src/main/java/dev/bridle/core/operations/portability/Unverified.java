package dev.bridle.core.operations.portability;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.ReadTransaction;
import java.util.Optional;

/**
 * Keeps what nobody vouches for apart from what is here. Such a file could add to tasks that exist:
 * steps, approvals, events, receipts that this server would sign. So it gets a tenant of its own,
 * and a file that is verified does not come into that one.
 */
final class Unverified {
  private static final int MOST_IMPORTS = 1000;

  private final TransferStores stores;
  private final String tenant;
  private final byte[] file;

  Unverified(TransferStores stores, String tenant, byte[] file) {
    this.stores = stores;
    this.tenant = tenant;
    this.file = file.clone();
  }

  /** Checks that a file that was loaded unverified is so again: it is judged once. */
  static void needOption(Optional<ImportRecord> before, ImportOptions options) {
    if (before.filter(ImportRecord::getUnverified).isPresent() && !options.unverified()) {
      throw conflict(
          "This file was imported unverified. Nothing more is done with it without --unverified.");
    }
  }

  /**
   * Checks that a file may come into the tenant.
   *
   * @param isUnverified whether nobody vouches for it
   */
  void needRoom(boolean isUnverified) {
    boolean isBegun =
        stores.store().read(tr -> stores.imports().find(tr, tenant, file)).isPresent();
    if (isBegun) {
      return;
    }
    if (isUnverified && stores.store().read(this::isUsed)) {
      throw conflict(
          "A file that does not verify is imported into a tenant of its own, and "
              + tenant
              + " has sessions or imports: choose a new one with --tenant.");
    }
    if (!isUnverified && stores.store().read(this::hasUnverified)) {
      throw conflict(
          "The tenant "
              + tenant
              + " has data of a file that did not verify: import this one into another tenant, with"
              + " --tenant.");
    }
  }

  private boolean isUsed(ReadTransaction tr) {
    return !stores
            .records()
            .page(tr, tenant, SessionStore.SESSION.number(), RecordDef.ALL, "", Optional.empty(), 1)
            .isEmpty()
        || !stores.imports().all(tr, tenant, 1).isEmpty();
  }

  private boolean hasUnverified(ReadTransaction tr) {
    return stores.imports().all(tr, tenant, MOST_IMPORTS).stream()
        .map(Unverified::parse)
        .anyMatch(ImportRecord::getUnverified);
  }

  private static ImportRecord parse(byte[] record) {
    try {
      return ImportRecord.parseFrom(record);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored import is damaged", e);
    }
  }

  private static ProtocolException conflict(String sentence) {
    return ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, "Nothing was imported. " + sentence);
  }
}

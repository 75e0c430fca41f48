package dev.bridle.core.operations.portability;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import java.util.Optional;

/** The stored progress of the import of one file into one tenant. */
final class ImportProgress {
  private final TransferStores stores;
  private final String tenant;
  private final byte[] file;

  ImportProgress(TransferStores stores, String tenant, byte[] file) {
    this.stores = stores;
    this.tenant = tenant;
    this.file = file.clone();
  }

  Optional<ImportRecord> find(ReadTransaction tr) {
    return stores
        .imports()
        .find(tr, tenant, file)
        .map(
            bytes -> {
              try {
                return ImportRecord.parseFrom(bytes);
              } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException("a stored import is damaged", e);
              }
            });
  }

  void put(Transaction tr, ImportRecord record) {
    stores.imports().put(tr, tenant, file, record.toByteArray());
  }

  /** Advances the import. Returns false if an earlier attempt of the same step has been applied. */
  boolean move(Transaction tr, long from, long to) {
    ImportRecord record = find(tr).orElseThrow(ImportProgress::disturbed);
    if (record.getApplied() == to) {
      return false;
    }
    if (record.getApplied() != from || record.getFinishedAt() != 0) {
      throw disturbed();
    }
    put(tr, record.toBuilder().setApplied(to).build());
    return true;
  }

  static ProtocolException disturbed() {
    return ProtocolException.of(
        ErrorCode.ERROR_CODE_CONFLICT,
        "Another call is importing the same file; wait until it has ended.");
  }
}

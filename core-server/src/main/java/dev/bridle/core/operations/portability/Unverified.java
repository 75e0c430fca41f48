package dev.bridle.core.operations.portability;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.ImportStore;
import dev.bridle.storage.layer.RecordRows.Row;
import java.util.List;
import java.util.Optional;

/**
 * Keeps what nobody vouches for apart from what is here. Such a file could add to tasks that exist:
 * steps, approvals, events, receipts that this server would sign. So it gets a tenant of its own,
 * and a file that is verified does not come into that one.
 */
final class Unverified {
  private static final int MOST_IMPORTS = 10_000;

  private final TransferStores stores;
  private final String tenant;
  private final Workspaces workspaces;

  Unverified(TransferStores stores, String tenant) {
    this.stores = stores;
    this.tenant = tenant;
    this.workspaces = new Workspaces(stores, tenant);
  }

  /** Returns whether a tenant has an import that nobody vouched for. */
  static boolean isIn(ReadTransaction tr, ImportStore imports, String tenant) {
    return imports.all(tr, tenant, MOST_IMPORTS).stream()
        .map(Unverified::parse)
        .anyMatch(ImportRecord::getUnverified);
  }

  /** Checks that a file that was loaded unverified is so again: it is judged once. */
  static void needOption(Optional<ImportRecord> before, boolean unverified) {
    if (before.filter(ImportRecord::getUnverified).isPresent() && !unverified) {
      throw conflict(
          "This file was imported unverified. Nothing more is done with it without --unverified.");
    }
  }

  /** Checks that an import goes on as it was begun; unverified also if the file verifies by now. */
  static void needSame(ImportRecord before, ImportStart.Judged judged) {
    needOption(Optional.of(before), judged.takesUnverified());
    if (!before.getUnverified() && judged.isUnverified()) {
      throw conflict(
          "This file verified when its import began, and does not now: delete the tenant, or import"
              + " it into a new one.");
    }
  }

  /**
   * Checks that a file may come into the tenant, in the transaction that begins its import.
   *
   * @param isUnverified whether nobody vouches for it
   */
  void needRoom(ReadTransaction tr, boolean isUnverified) {
    if (isUnverified && isUsed(tr)) {
      throw conflict(
          "A file that does not verify is imported into a tenant of its own, and "
              + tenant
              + " is in use: choose a new one with --tenant.");
    }
    if (!isUnverified && isIn(tr, stores.imports(), tenant)) {
      throw conflict(
          "The tenant "
              + tenant
              + " has data of a file that did not verify: import this one into another tenant, with"
              + " --tenant.");
    }
  }

  private boolean isUsed(ReadTransaction tr) {
    return !stores.imports().all(tr, tenant, 1).isEmpty()
        || stores.catalog().all().stream()
            .filter(kind -> kind.export().phase().isPresent())
            .anyMatch(kind -> isUsed(tr, kind));
  }

  /** A new tenant has one workspace, which nobody has used. */
  private boolean isUsed(ReadTransaction tr, RecordDef<?> kind) {
    List<Row> rows =
        stores.records().page(tr, tenant, kind.number(), RecordDef.ALL, "", Optional.empty(), 2);
    return kind.equals(WorkspaceStore.WORKSPACE)
        ? rows.size() > 1 || rows.stream().anyMatch(row -> !workspaces.untouched(tr, row.id()))
        : !rows.isEmpty();
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

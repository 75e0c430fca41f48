package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.signing.SigningKey;
import dev.bridle.core.kernel.signing.SigningKeys;
import dev.bridle.core.kernel.signing.SigningPurpose;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.receipt.OwedReceipts;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.receipt.SubjectReceipts;
import dev.bridle.core.work.task.TaskFactStore;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.record.v1.ReceiptNodeRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.layer.KeyLayout;
import java.util.List;

/** Exports what belongs to receipts: facts, owed receipts, keys, ends of chains and their nodes. */
final class ReceiptExport {
  private static final int NODES_AT_ONCE = 200;

  private final TransferStores stores;
  private final String installation;
  private final String tenant;
  private final ExportRun run;
  private boolean keysExported;

  ReceiptExport(TransferStores stores, String installation, String tenant, ExportRun run) {
    this.installation = installation;
    this.stores = stores;
    this.tenant = tenant;
    this.run = run;
    this.keysExported = run.isResumed(); // The first unit has them.
  }

  void facts(List<TaskFactRecord> facts) {
    for (TaskFactRecord fact : facts) {
      run.unlisted(
          TaskFactStore.TASK_FACT,
          TaskFactStore.TASK_FACT.idOf(fact).orElseThrow(),
          fact.toByteArray());
    }
  }

  /** Exports the facts of an ended task, and the receipt that it is owed. */
  void ofTask(TaskRecord task) {
    facts(stores.store().read(tr -> LiveTask.facts(tr, stores, tenant, task)));
    String id = task.getTask().getId();
    stores
        .read(tenant, OwedReceipts.RECEIPT_OWED, id)
        .ifPresent(owed -> run.unlisted(OwedReceipts.RECEIPT_OWED, id, owed));
  }

  /** Exports which approval or artifact a receipt is about, so that it gets no second one. */
  void ofSubject(String receiptId) {
    stores
        .read(tenant, ReceiptStore.RECEIPT, receiptId)
        .map(bytes -> TransferStores.parse(ReceiptRecord.parser(), bytes))
        .map(SubjectReceipts::idOf)
        .ifPresent(
            id ->
                stores
                    .read(tenant, SubjectReceipts.SUBJECT_RECEIPT, id)
                    .ifPresent(
                        bytes -> run.unlistedContext(SubjectReceipts.SUBJECT_RECEIPT, id, bytes)));
  }

  /** Exports the public keys that verify the tenant's receipts, and this export. */
  void keys() {
    if (keysExported) {
      return;
    }
    keysExported = true;
    KeyLayout layout = stores.layout();
    List<SigningKey> own =
        stores.store().read(tr -> SigningKeys.stored(tr, layout, SigningPurpose.RECEIPT));
    for (SigningKey key : own) {
      run.unlistedContext(
          ImportedKeys.RECEIPT_KEY,
          key.id(),
          ReceiptKeys.exported(key, installation).toByteArray());
    }
    List<ReceiptKeyRecord> imported =
        stores.store().read(tr -> new ImportedKeys(layout).all(tr, tenant));
    for (ReceiptKeyRecord key : imported) {
      if (own.stream().noneMatch(one -> one.id().equals(key.getId()))) {
        // Whether to trust it is for the installation that imports it to decide.
        byte[] bytes = key.toBuilder().clearState().build().toByteArray();
        run.unlistedContext(ImportedKeys.RECEIPT_KEY, key.getId(), bytes);
      }
    }
  }

  /**
   * Exports the end of a chain.
   *
   * @param partial whether its earlier receipts are not exported; then its nodes are not, either
   */
  void chain(byte[] record, boolean partial) {
    ReceiptChainRecord chain = TransferStores.parse(ReceiptChainRecord.parser(), record);
    if (partial) {
      run.unlistedContext(
          ReceiptStore.RECEIPT_CHAIN,
          chain.getSessionId(),
          chain.toBuilder().setPartial(true).build().toByteArray());
      return;
    }
    run.unlisted(ReceiptStore.RECEIPT_CHAIN, chain.getSessionId(), record);
    nodes(chain, chain.getSessionId() + '/');
  }

  private void nodes(ReceiptChainRecord chain, String from) {
    String prefix = chain.getSessionId() + '/';
    List<ReceiptNodeRecord> page =
        stores
            .store()
            .read(
                tr ->
                    ReceiptStore.RECEIPT_NODE
                        .store(stores.layout())
                        .withPrefix(tr, tenant, prefix, from, NODES_AT_ONCE));
    for (ReceiptNodeRecord node : page) {
      // Nodes of receipts that were issued after the chain's end was read are left out.
      if (((node.getIndex() + 1) << node.getLevel()) <= chain.getCount()) {
        run.unlisted(ReceiptStore.RECEIPT_NODE, idOf(node), node.toByteArray());
      }
    }
    if (page.size() == NODES_AT_ONCE) {
      String next = idOf(page.get(page.size() - 1)) + '\0';
      run.first(List.of(() -> nodes(chain, next)));
    }
  }

  private static String idOf(ReceiptNodeRecord node) {
    return ReceiptStore.RECEIPT_NODE.idOf(node).orElseThrow();
  }
}

package dev.bridle.core.work.receipt;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.ChainReport;
import dev.bridle.proof.verify.ChainVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.layer.KeyLayout;
import java.util.List;
import java.util.Optional;

/** The receipts that a core has stored, as somebody sees them who reads storage. */
public final class StoredReceipts {
  private static final KeyLayout LAYOUT = KeyLayout.root();

  private final TestCore core;

  public StoredReceipts(TestCore core) {
    this.core = core;
  }

  /** Returns the receipt that a task names. */
  public Receipt of(String task) {
    return Receipt.parse(record(core.task(task).getReceiptId()).getWire().toByteArray());
  }

  public ReceiptRecord record(String id) {
    return core.store()
        .read(tr -> new ReceiptStore(LAYOUT).records().get(tr, Tenants.DEFAULT, id))
        .orElseThrow();
  }

  /** Returns the receipts of a session, in the order of their chain. */
  public List<ReceiptRecord> chain(String session) {
    return core.store()
        .read(
            tr ->
                new ReceiptStore(LAYOUT)
                    .records()
                    .batch(
                        tr,
                        Tenants.DEFAULT,
                        RecordDef.BY_SESSION,
                        session,
                        Optional.empty(),
                        10_000)
                    .records());
  }

  /** Verifies a session's receipts as its chain, up to the stored end. */
  public ChainReport verified(String session) {
    ChainVerifier verifier = new ChainVerifier(Trust.of(keys()));
    chain(session).forEach(record -> verifier.add(record.getWire().toByteArray()));
    return verifier.report(
        ReceiptStore.head(
            core.store().read(tr -> new ReceiptStore(LAYOUT).chain(tr, Tenants.DEFAULT, session))));
  }

  public KeySet keys() {
    return core.store().read(tr -> ReceiptKeys.trusted(tr, LAYOUT, Tenants.DEFAULT));
  }
}

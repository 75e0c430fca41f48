package dev.bridle.core.work.receipt;

import dev.bridle.core.kernel.event.LogEvidence;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.replay.LogReplay;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventLog;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StoredEvent;
import java.util.ArrayList;
import java.util.List;

/** Replays the logs of all tasks in a store that have a receipt. */
public final class ReplayedTasks {
  private static final int MANY = 10_000;
  private static final int AT_ONCE = 200;

  private ReplayedTasks() {}

  /** Returns the differences, each with its task. Events that retention has removed are none. */
  public static List<String> differences(KeyValueStore store) {
    List<ReceiptRecord> receipts =
        store.read(
            tr ->
                ReceiptStore.RECEIPT
                    .store(KeyLayout.root())
                    .withPrefix(tr, Tenants.DEFAULT, "", "", MANY));
    List<String> differences = new ArrayList<>();
    for (ReceiptRecord record : receipts) {
      if (record.getSubjectObject().equals("task")) {
        replay(store, record)
            .fault()
            .filter(fault -> fault.kind() == ReplayFault.Kind.DIVERGED)
            .ifPresent(fault -> differences.add(record.getTaskId() + ": " + fault));
      }
    }
    return differences;
  }

  /** Replays the log of a receipt's task. */
  static ReplayReport replay(KeyValueStore store, ReceiptRecord record) {
    EventLog log = EventLog.open(store, KeyLayout.root());
    LogReplay replay = new LogReplay(Receipt.parse(record.getWire().toByteArray()));
    boolean goesOn = true;
    while (goesOn) {
      List<StoredEvent> page = store.read(tr -> page(tr, log, record, replay.events()));
      goesOn = !page.isEmpty();
      for (StoredEvent event : page) {
        goesOn &= replay.add(LogEvidence.line(event).toByteArray());
      }
    }
    return replay.finish();
  }

  private static List<StoredEvent> page(
      ReadTransaction tr, EventLog log, ReceiptRecord record, long from) {
    return log.readTask(
        tr, Tenants.DEFAULT, record.getSessionId(), record.getTaskId(), from, AT_ONCE);
  }
}

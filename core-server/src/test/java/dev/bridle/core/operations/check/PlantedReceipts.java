package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.work.receipt.OwedReceipts;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.record.v1.OwedReceiptRecord;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptNodeRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.layer.TenantSpace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Faults in receipts, in the chains that they form, and in what is owed. */
final class PlantedReceipts {
  private static final long RECEIPT = ReceiptStore.RECEIPT.number();
  private static final long CHAIN = ReceiptStore.RECEIPT_CHAIN.number();
  private static final long NODE = ReceiptStore.RECEIPT_NODE.number();

  private PlantedReceipts() {}

  static List<Plant> all() {
    return List.of(
        receipt(
            "a receipt whose content was changed",
            record ->
                record.toBuilder()
                    .setWire(replaced(record.getWire(), "SUCCEEDED", "CANCELED"))
                    .build()),
        receipt(
            "a receipt that is no JSON",
            record -> record.toBuilder().setWire(ByteString.copyFromUtf8("{")).build()),
        receipt(
            "a receipt's record that names another task",
            record -> record.toBuilder().setSubjectId("task_other").build()),
        receipt(
            "a receipt's record with another hash",
            record -> record.toBuilder().setHash(ByteString.copyFrom(new byte[32])).build()),
        Plant.of(
            FaultKind.RECEIPT_WRONG,
            "a receipt that its task does not name",
            (tenant, stored) -> {
              ReceiptRecord receipt = first(stored);
              stored.change(
                  receipt.getTaskId(), task -> task.getTaskBuilder().setReceiptId("receipt_other"));
              return receipt.getId();
            }),
        Plant.of(
                FaultKind.RECEIPT_MISSING,
                "a task whose receipt is lost",
                (tenant, stored) -> {
                  ReceiptRecord receipt = first(stored);
                  stored.clear(stored.key(TenantSpace.RECORD, RECEIPT, receipt.getId()));
                  return receipt.getTaskId();
                })
            .mendedBeside("index"),
        Plant.of(
            FaultKind.RECEIPT_MISSING,
            "a task that ended and names no receipt",
            (tenant, stored) -> {
              ReceiptRecord receipt = first(stored);
              stored.change(receipt.getTaskId(), task -> task.getTaskBuilder().clearReceiptId());
              return receipt.getTaskId();
            }),
        Plant.of(
            FaultKind.RECEIPT_WRONG,
            "a receipt owed to a task that has one",
            (tenant, stored) -> {
              OwedReceiptRecord owed =
                  OwedReceiptRecord.newBuilder()
                      .setTaskId(first(stored).getTaskId())
                      .setSessionId(first(stored).getSessionId())
                      .build();
              stored.store.transact(
                  tr -> {
                    OwedReceipts.RECEIPT_OWED
                        .store(stored.layout)
                        .insert(tr, Stored.TENANT, owed.getTaskId(), owed);
                    return true;
                  });
              return owed.getTaskId();
            }),
        chain(
            "a chain that counts a receipt too many",
            chain -> chain.toBuilder().setCount(chain.getCount() + 1).build()),
        chain(
            "a chain that ends with another receipt",
            chain -> chain.toBuilder().setLastHash(ByteString.copyFrom(new byte[32])).build()),
        chain(
            "a chain with another tree",
            chain -> chain.toBuilder().setPeaks(0, ByteString.copyFrom(new byte[32])).build()),
        Plant.of(
            FaultKind.RECEIPT_CHAIN_WRONG,
            "a node of a chain's tree changed",
            (tenant, stored) -> {
              String session = first(stored).getSessionId();
              stored.changed(
                  NODE,
                  session + "/00/" + "0".repeat(16),
                  ReceiptNodeRecord.parser(),
                  node -> node.toBuilder().setHash(ByteString.copyFrom(new byte[32])).build());
              return session;
            }),
        Plant.of(
            FaultKind.RECEIPT_WRONG,
            "a session whose chain is lost",
            (tenant, stored) -> {
              ReceiptRecord receipt = first(stored);
              stored.clear(stored.key(TenantSpace.RECORD, CHAIN, receipt.getSessionId()));
              return receipt.getId();
            }));
  }

  private static ByteString replaced(ByteString wire, String what, String by) {
    return ByteString.copyFrom(
        wire.toStringUtf8().replace(what, by).getBytes(StandardCharsets.UTF_8));
  }

  private static Plant receipt(String name, UnaryOperator<ReceiptRecord> change) {
    return Plant.of(
        FaultKind.RECEIPT_WRONG,
        name,
        (tenant, stored) -> {
          String id = first(stored).getId();
          stored.changed(RECEIPT, id, ReceiptRecord.parser(), change);
          return id;
        });
  }

  private static Plant chain(String name, UnaryOperator<ReceiptChainRecord> change) {
    return Plant.of(
        FaultKind.RECEIPT_CHAIN_WRONG,
        name,
        (tenant, stored) -> {
          String session = first(stored).getSessionId();
          stored.changed(CHAIN, session, ReceiptChainRecord.parser(), change);
          return session;
        });
  }

  /** Returns the oldest receipt of a completed task. */
  private static ReceiptRecord first(Stored stored) {
    return stored
        .store
        .read(
            tr ->
                new ReceiptStore(stored.layout)
                    .records()
                    .batch(tr, Stored.TENANT, RecordDef.ALL, "", Optional.empty(), 100)
                    .records())
        .stream()
        .filter(receipt -> receipt.getWire().toStringUtf8().contains("\"SUCCEEDED\""))
        .findFirst()
        .orElseThrow();
  }
}

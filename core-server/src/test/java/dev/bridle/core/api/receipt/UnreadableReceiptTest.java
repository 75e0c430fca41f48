package dev.bridle.core.api.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.receipt.StoredReceipts;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.receipt.v1.ExportReceiptsRequest;
import dev.bridle.receipt.v1.GetReceiptRequest;
import dev.bridle.receipt.v1.ListReceiptsRequest;
import dev.bridle.receipt.v1.Receipt;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.worker.v1.TaskLease;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One stored receipt that can't be read is named, and the others are served. */
class UnreadableReceiptTest extends LeasedTasks {
  @Override
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  private Optional<ReceiptRecord> whole = Optional.empty();

  /** A core that is closed must have sound storage. */
  @AfterEach
  void mend() {
    whole.ifPresent(this::store);
  }

  private void store(ReceiptRecord record) {
    var unused =
        core.store()
            .transact(
                tr -> {
                  new ReceiptStore(KeyLayout.root())
                      .records()
                      .insert(tr, Tenants.DEFAULT, record.getId(), record);
                  return record;
                });
  }

  private ReceiptServiceGrpc.ReceiptServiceBlockingStub receipts() {
    return ReceiptServiceGrpc.newBlockingStub(core.owner());
  }

  /** Ends three tasks, and damages the second's receipt. */
  private String damaged() {
    return replaced("{\"a\":1,\"a\":2}");
  }

  /** Ends three tasks, and replaces what is stored as the second's receipt. */
  private String replaced(String wire) {
    String damaged = "";
    for (int i = 0; i < 3; i++) {
      var unused = core.submit(session);
      worker.want(1);
      TaskLease lease = worker.lease();
      complete(lease, "done");
      if (i == 1) {
        damaged = core.task(lease.getTask().getId()).getReceiptId();
      }
    }
    ReceiptRecord record = new StoredReceipts(core).record(damaged);
    whole = Optional.of(record);
    store(record.toBuilder().setWire(ByteString.copyFromUtf8(wire)).build());
    return damaged;
  }

  @Test
  void itIsListedWithoutAPayloadAndTheOthersAreWhole() {
    String damaged = damaged();

    List<Receipt> listed =
        receipts()
            .listReceipts(ListReceiptsRequest.newBuilder().setSessionId(session).build())
            .getDataList();

    assertThat(listed).hasSize(3);
    assertThat(listed.get(0).getWire().getPayload().isEmpty()).isFalse();
    assertThat(listed.get(2).getWire().getPayload().isEmpty()).isFalse();
    Receipt broken = listed.get(1);
    assertThat(broken.getId()).isEqualTo(damaged);
    assertThat(broken.getWire().getPayload().isEmpty()).isTrue();
    assertThat(broken.getVerification().getValid()).isFalse();
    assertThat(broken.getVerification().getReason()).startsWith("json: ");
    assertThat(receipts().getReceipt(GetReceiptRequest.newBuilder().setReceiptId(damaged).build()))
        .isEqualTo(broken);
  }

  @Test
  void itIsNotValidAndTheExportNamesIt() {
    String damaged = damaged();

    assertThat(
            receipts()
                .verifyReceipt(VerifyReceiptRequest.newBuilder().setReceiptId(damaged).build())
                .getReason())
        .startsWith("json: ");
    assertThat(exported())
        .hasSize(7)
        .contains("{\"receipt_id\":\"" + damaged + "\",\"type\":\"unreadable\"}");
  }

  @Test
  void oneAsDeepAsJsonMayBeIsReadableInAnExport() {
    String deepest =
        "{\"a\":".repeat(StrictJson.MAX_DEPTH) + "1" + "}".repeat(StrictJson.MAX_DEPTH);
    var unused = replaced(deepest);

    assertThat(exported()).contains("{\"receipt\":" + deepest + ",\"type\":\"receipt\"}");
  }

  private List<String> exported() {
    StringBuilder lines = new StringBuilder();
    receipts()
        .exportReceipts(ExportReceiptsRequest.newBuilder().setSessionId(session).build())
        .forEachRemaining(piece -> lines.append(piece.getData().toStringUtf8()));
    return lines.toString().lines().toList();
  }
}

package dev.bridle.core.api.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.bridle.core.work.dispatch.LeasedTasks;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.receipt.StoredReceipts;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.receipt.v1.ReceiptVerification;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.worker.v1.TaskLease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The single receipts of the table of cases, planted into storage as a first receipt: the server
 * concludes what all other verifiers conclude.
 */
class ReceiptCasesTest extends LeasedTasks {
  private ReceiptRecord whole;

  @BeforeEach
  void end() {
    var unused = core.submit(session);
    worker.want(1);
    TaskLease lease = worker.lease();
    complete(lease, "done");
    whole = new StoredReceipts(core).record(core.task(lease.getTask().getId()).getReceiptId());
  }

  @AfterEach
  void restore() {
    plant(whole.getWire().toByteArray());
  }

  private static Path fixtures() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("fixtures/receipts"))) {
      folder = folder.getParent();
    }
    return folder.resolve("fixtures/receipts");
  }

  private static byte[] read(String file) {
    try {
      return Files.readAllBytes(fixtures().resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<JsonNode> singles() {
    List<JsonNode> singles = new ArrayList<>();
    for (JsonNode one : StrictJson.parse(read("cases.json"))) {
      if (!one.path("chain").asBoolean() && one.has("keys")) {
        singles.add(one);
      }
    }
    return singles;
  }

  private void plant(byte[] wire) {
    ReceiptRecord record = whole.toBuilder().setWire(ByteString.copyFrom(wire)).build();
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

  private ReceiptVerification verified(String keys) {
    return ReceiptServiceGrpc.newBlockingStub(core.owner())
        .verifyReceipt(
            VerifyReceiptRequest.newBuilder()
                .setReceiptId(whole.getId())
                .setTrustAnchor(ByteString.copyFrom(read(keys)).toStringUtf8())
                .build());
  }

  @Test
  void theServerConcludesWhatTheTableSays() {
    assertThat(singles()).hasSizeGreaterThan(7);
    for (JsonNode one : singles()) {
      String name = one.path("name").asText();
      plant(read(one.path("file").asText()));
      if (one.path("verdict").asText().equals("usage")) {
        assertThatThrownBy(() -> verified(one.path("keys").asText()))
            .as(name)
            .hasMessageContaining("has no Ed25519 key");
        continue;
      }
      ReceiptVerification verified = verified(one.path("keys").asText());

      assertThat(verified.getDetails().toStringUtf8())
          .as(name)
          .contains("\"verdict\":\"" + one.path("verdict").asText() + "\"");
      assertThat(verified.getValid())
          .as(name)
          .isEqualTo(one.path("verdict").asText().equals("valid"));
      assertThat(verified.getReason()).as(name).startsWith(one.path("failed").asText());
    }
  }

  @Test
  void withoutGivenKeysNoReceiptOfOthersIsValid() {
    for (JsonNode one : singles()) {
      plant(read(one.path("file").asText()));

      assertThat(
              ReceiptServiceGrpc.newBlockingStub(core.owner())
                  .verifyReceipt(
                      VerifyReceiptRequest.newBuilder().setReceiptId(whole.getId()).build())
                  .getValid())
          .as(one.path("name").asText())
          .isFalse();
    }
  }
}

package dev.bridle.core.api.receipt;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ResourcePointer;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.proof.receipt.InvalidReceiptException;
import dev.bridle.proof.schema.ReceiptSchema;
import dev.bridle.receipt.v1.Receipt;
import dev.bridle.receipt.v1.ReceiptSignature;
import dev.bridle.receipt.v1.ReceiptVerification;
import dev.bridle.receipt.v1.ReceiptWireEnvelope;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.ReceiptVerificationRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Locale;
import java.util.Optional;

/**
 * Converts stored receipts to resources, with the last recorded result of verifying them:
 *
 * <pre>
 * tenant / RECORD / RECEIPT_VERIFICATION, receipt → ReceiptVerificationRecord
 * </pre>
 */
public final class ReceiptResources {
  /** The definition of recorded results. */
  public static final RecordDef<ReceiptVerificationRecord> RECEIPT_VERIFICATION =
      RecordDef.of(97, "receipt verification", ReceiptVerificationRecord.parser())
          .id(ReceiptVerificationRecord::getReceiptId)
          .besides("receipt")
          .build();

  private static final ByteString EMPTY_OBJECT = ByteString.copyFromUtf8("{}");

  private final RecordStore<ReceiptVerificationRecord> verifications;

  ReceiptResources(KeyLayout layout) {
    this.verifications = RECEIPT_VERIFICATION.store(layout);
  }

  Optional<ReceiptVerification> verification(ReadTransaction tr, String tenant, String receipt) {
    return verifications.get(tr, tenant, receipt).map(ReceiptVerificationRecord::getVerification);
  }

  void record(Transaction tr, String tenant, String receipt, ReceiptVerification result) {
    verifications.insert(
        tr,
        tenant,
        receipt,
        ReceiptVerificationRecord.newBuilder()
            .setReceiptId(receipt)
            .setVerification(result)
            .build());
  }

  /**
   * Returns a receipt as a resource. One that is stored and can't be read has no payload and no
   * issuer, and says so.
   */
  Receipt toResource(ReadTransaction tr, String tenant, ReceiptRecord record) {
    try {
      return toResource(
          tr,
          tenant,
          record,
          dev.bridle.proof.receipt.Receipt.parse(record.getWire().toByteArray()));
    } catch (InvalidReceiptException e) {
      Receipt.Builder receipt =
          common(record).setSummary("This receipt can't be read.").setIssuer("unknown");
      return receipt.setVerification(unreadable(record, e)).build();
    }
  }

  /** Returns the result of verifying a receipt that can't be read. */
  static ReceiptVerification unreadable(ReceiptRecord record, InvalidReceiptException why) {
    String check = why.reason() == InvalidReceiptException.Reason.JSON ? "json" : "schema";
    return ReceiptVerification.newBuilder()
        .setValid(false)
        .setCheckedAt(Timestamps.fromMillis(record.getIssuedAt()))
        .setReason(check + ": " + why.getMessage())
        .build();
  }

  private static Receipt.Builder common(ReceiptRecord record) {
    Timestamp issued = Timestamps.fromMillis(record.getIssuedAt());
    ResourcePointer subject =
        ResourcePointer.newBuilder()
            .setObject(record.getSubjectObject())
            .setId(record.getSubjectId())
            .build();
    return Receipt.newBuilder()
        .setId(record.getId())
        .setCreatedAt(issued)
        .setUpdatedAt(issued)
        .setMetadata(EMPTY_OBJECT)
        .setSubject(subject)
        .setFormat(ReceiptSchema.MARKER)
        .setIssuedAt(issued)
        .setSessionId(record.getSessionId())
        .setTaskId(record.getTaskId())
        .setWorkspaceId(record.getWorkspaceId())
        .setWire(
            ReceiptWireEnvelope.newBuilder()
                .setSchemaVersion(ReceiptSchema.MARKER)
                .setSubject(subject)
                .setIssuedAt(issued));
  }

  private Receipt toResource(
      ReadTransaction tr,
      String tenant,
      ReceiptRecord record,
      dev.bridle.proof.receipt.Receipt wire) {
    Receipt.Builder receipt =
        common(record)
            .setSummary(
                "Receipt "
                    + (record.getIndex() + 1)
                    + " of the session: the "
                    + record.getSubjectObject()
                    + ' '
                    + wire.finalState().toLowerCase(Locale.ROOT)
                    + '.')
            .setIssuer(wire.issuer().id());
    ReceiptWireEnvelope.Builder envelope = receipt.getWireBuilder().setPayload(record.getWire());
    wire.signatures().stream()
        .findFirst()
        .ifPresent(
            signature ->
                envelope.setSignature(
                    ReceiptSignature.newBuilder()
                        .setAlgorithm(signature.algorithm())
                        .setKeyId(signature.keyId())
                        .setValue(signature.signature())));
    verification(tr, tenant, record.getId())
        .ifPresent(result -> receipt.setVerification(result).setUpdatedAt(result.getCheckedAt()));
    return receipt.build();
  }
}

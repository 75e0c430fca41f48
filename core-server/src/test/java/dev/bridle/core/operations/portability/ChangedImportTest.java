package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.StepRecord;
import org.junit.jupiter.api.Test;

/** What somebody has changed in a file is not imported, and nothing else of the file either. */
class ChangedImportTest extends ExportedTask {
  private static final String OTHER = "{\"text\":\"another answer, told\"}";

  @Test
  void whatNobodyHasChangedIsImported() {
    assertThat(
            Transfer.load(target, RewrittenFile.signedAs(file, changed(entry -> entry)))
                .getEvents())
        .isPositive();
  }

  @Test
  void aChangedValueIsRefused() {
    refused(
        changed(ChangedImportTest::withOtherAnswer), "the recorded value of the step 'llm:main:1'");
  }

  @Test
  void aChangedValueWithItsCommitmentIsRefusedSinceItsEventHasAnother() {
    refused(
        changed(
            entry ->
                entry.hasStep()
                    ? RewrittenFile.withStep(
                        withOtherAnswer(entry),
                        step ->
                            step.toBuilder()
                                .setCommitment(
                                    Commitment.of(
                                        step.getSalt().toByteArray(), step.getStep().getValue()))
                                .build())
                    : entry),
        "the recorded value of the step 'llm:main:1'");
  }

  @Test
  void aChangedPayloadIsRefused() {
    refused(
        changed(
            entry ->
                entry.hasEvent()
                    ? RewrittenFile.withEvent(
                        entry,
                        event ->
                            event.toBuilder()
                                .setPayload(event.getPayload().concat(ByteString.copyFromUtf8(" ")))
                                .build())
                    : entry),
        "the payload of the event ");
  }

  @Test
  void changedBytesOfAnArtifactAreRefused() {
    refused(
        changed(
            entry -> {
              if (!entry.hasChunk() || entry.getChunk().getData().isEmpty()) {
                return entry;
              }
              byte[] data = entry.getChunk().getData().toByteArray();
              data[0] ^= 1;
              return entry.toBuilder()
                  .setChunk(entry.getChunk().toBuilder().setData(ByteString.copyFrom(data)))
                  .build();
            }),
        "the content of the artifact ");
  }

  @Test
  void aChangedReceiptIsRefused() {
    refused(
        changed(
            entry ->
                entry.hasRecord() && entry.getRecord().getKind() == ReceiptStore.RECEIPT.number()
                    ? withReceipt(entry)
                    : entry),
        "does not verify: hash");
  }

  @Test
  void aRecordThatSaysAnotherThingThanItsReceiptIsRefused() {
    refused(
        changed(
            entry ->
                entry.hasRecord() && entry.getRecord().getKind() == ReceiptStore.RECEIPT.number()
                    ? RewrittenFile.withRecord(
                        entry,
                        RewrittenFile.parse(ReceiptRecord.parser(), entry.getRecord().getRecord())
                            .toBuilder()
                            .setIndex(7)
                            .build()
                            .toByteString())
                    : entry),
        "does not say what that says");
  }

  private static ExportEntry withOtherAnswer(ExportEntry entry) {
    return entry.hasStep()
        ? RewrittenFile.withStep(
            entry,
            step -> {
              StepRecord.Builder other = step.toBuilder();
              if (step.getStep().hasValue()) {
                other.getStepBuilder().setValue(ByteString.copyFromUtf8(OTHER));
              }
              return other.build();
            })
        : entry;
  }

  private static ExportEntry withReceipt(ExportEntry entry) {
    ReceiptRecord receipt =
        RewrittenFile.parse(ReceiptRecord.parser(), entry.getRecord().getRecord());
    String wire = receipt.getWire().toStringUtf8().replace("\"attempts\":1", "\"attempts\":2");
    ReceiptRecord changed =
        receipt.toBuilder()
            .setWire(
                ByteString.copyFromUtf8(
                    wire.replace("\"final_state\":\"SUCCEEDED\"", "\"final_state\":\"FAILED\"")))
            .build();
    return entry.toBuilder()
        .setRecord(entry.getRecord().toBuilder().setRecord(changed.toByteString()))
        .build();
  }
}

package dev.bridle.core.operations.portability;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.RecordedValues;
import dev.bridle.proof.hash.RunningSha256;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.verify.CheckResult;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedChunk;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.ExportedStep;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.StepRecord;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Holds what a file says against the hashes, commitments and signatures that are in it, entry by
 * entry and before anything is stored. The keys of the file prove nothing about who has made it:
 * this finds what somebody has changed who does not have the keys. What it keeps is bounded by one
 * session. Not thread-safe.
 */
final class ImportProofs {
  private final Map<String, VerificationKey> keys = new HashMap<>();

  /** The commitments of the values that the events of a stream say were recorded. */
  private final Map<String, ByteString> recorded = new HashMap<>();

  private String stream = "";
  private String blob = "";
  private RunningSha256 content = new RunningSha256();

  /** Looks at the next entry of the file; one that contradicts another is refused. */
  void look(ExportEntry entry) {
    try {
      switch (entry.getEntryCase()) {
        case EVENT ->
            event(entry.getEvent().getStream(), EventRecord.parseFrom(entry.getEvent().getBody()));
        case CHUNK -> chunk(entry.getChunk());
        case STEP -> step(entry.getStep());
        case RECORD -> record(entry.getRecord());
        default -> {}
      }
    } catch (InvalidProtocolBufferException e) {
      throw Entries.invalidFile("an entry of it can't be read");
    }
  }

  private void event(String of, EventRecord event) {
    if (!of.equals(stream)) {
      stream = of;
      recorded.clear();
    }
    boolean isThere = !event.getPayload().isEmpty() && !event.getSalt().isEmpty();
    if (isThere
        && !Commitment.of(event.getSalt().toByteArray(), event.getPayload())
            .equals(event.getCommitment())) {
      throw refused(
          "the payload of the event " + event.getSequence() + " of " + event.getResourceId(),
          "the one that it has the commitment of");
    }
    if (isThere && event.getEvent().equals(EventKinds.DEPENDENCY_RECORDED)) {
      JsonNode payload = payload(event);
      recorded.put(
          key(event.getTaskId(), payload.path("key").asText()),
          ByteString.copyFromUtf8(payload.path("commitment").asText()));
    }
  }

  private static JsonNode payload(EventRecord event) {
    try {
      return StrictJson.parse(event.getPayload().toByteArray());
    } catch (InvalidJsonException e) {
      throw Entries.invalidFile("the payload of the event " + event.getSequence() + " is no JSON");
    }
  }

  private void step(ExportedStep step) throws InvalidProtocolBufferException {
    StepRecord record = StepRecord.parseFrom(step.getRecord());
    Optional<ByteString> said =
        Optional.ofNullable(recorded.get(key(step.getTask(), step.getStepKey())));
    boolean isAsSaid =
        record.getCommitment().isEmpty()
            || said.map(
                    commitment ->
                        commitment.equals(
                            ByteString.copyFromUtf8(Commitment.spell(record.getCommitment()))))
                .orElse(true);
    if (!isAsSaid || !RecordedValues.isCommitted(record)) {
      throw refused(
          "the recorded value of the step '" + step.getStepKey() + "' of " + step.getTask(),
          "the one that was committed to");
    }
  }

  private static String key(String task, String step) {
    return task + "\n" + step;
  }

  private void chunk(ExportedChunk chunk) {
    if (!chunk.getBlob().equals(blob)) {
      blob = chunk.getBlob();
      content = new RunningSha256();
    }
    content.add(chunk.getData().toByteArray());
  }

  private void record(ExportedRecord record) throws InvalidProtocolBufferException {
    if (record.getKind() == ArtifactStore.ARTIFACT.number()) {
      artifact(ArtifactRecord.parseFrom(record.getRecord()));
    } else if (record.getKind() == ReceiptKeys.RECEIPT_KEY.number()) {
      VerificationKey key = ReceiptKeys.imported(ReceiptKeyRecord.parseFrom(record.getRecord()));
      // What a compromised key has signed is imported as well, and judged by who verifies it.
      keys.put(key.id(), VerificationKey.of(key.publicKey(), key.validity().undisputed()));
    } else if (record.getKind() == ReceiptStore.RECEIPT.number()) {
      receipt(ReceiptRecord.parseFrom(record.getRecord()));
    }
  }

  private void artifact(ArtifactRecord record) {
    String stated = record.getArtifact().getSha256();
    if (!stated.isEmpty()
        && record.getBlobId().equals(blob)
        && !content.soFar().toString().equals("sha256:" + stated.toLowerCase(Locale.ROOT))) {
      throw refused(
          "the content of the artifact " + record.getArtifact().getId(),
          "the one that it has the hash of");
    }
  }

  private void receipt(ReceiptRecord record) {
    Trust own = Trust.unproven(KeySet.of(keys.values()));
    Optional<CheckResult> failure =
        new ReceiptVerifier(own).verify(record.getWire().toByteArray()).failure();
    if (failure.isPresent()) {
      throw Entries.invalidFile(
          "the receipt " + record.getId() + " does not verify: " + failure.get());
    }
  }

  private static ProtocolException refused(String what, String expected) {
    return Entries.invalidFile(what + " is not " + expected);
  }
}

package dev.bridle.core.operations.portability;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.visibility.HiddenContent;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.receipt.ReceiptKeys;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.Message;
import dev.bridle.proof.hash.RunningSha256;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.receipt.InvalidReceiptException;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.receipt.ReceiptSignature;
import dev.bridle.proof.verify.CheckResult;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedChunk;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.ExportedStep;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.ReceiptChainRecord;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.record.v1.ReceiptRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.TaskInput;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Holds what a file says against the hashes, commitments and signatures that are in it, entry by
 * entry and before anything is stored. The keys of the file alone prove nothing about who has made
 * it: with them, this finds what somebody has changed who does not have the keys. What it keeps is
 * bounded by one session. Not thread-safe.
 */
final class ImportProofs {
  private final ImportTrust trust;
  private final ImportFaults faults;
  private final Map<String, VerificationKey> keys = new HashMap<>();
  private final Map<String, String> signedFor = new HashMap<>();
  private String source = "";
  private ReceiptVerifier inItself = new ReceiptVerifier(Trust.none());

  private final TaskProofs tasks;
  private final RepeatedContent repeated;
  private final ChainProofs chains;
  private String blob = "";
  private long chunks;
  private RunningSha256 content = new RunningSha256();

  /**
   * Begins with a file.
   *
   * @param trust which keys are trusted
   * @param faults takes what is found
   */
  ImportProofs(ImportTrust trust, ImportFaults faults) {
    this.trust = trust;
    this.faults = faults;
    this.tasks = new TaskProofs(faults);
    this.repeated = new RepeatedContent(faults);
    this.chains = new ChainProofs(faults);
  }

  /** Begins with a file that names an installation as its source. */
  void from(String installation) {
    source = installation;
  }

  /** Looks at the next entry of the file. */
  void look(ExportEntry entry) {
    try {
      switch (entry.getEntryCase()) {
        case EVENT -> event(EventRecord.parseFrom(entry.getEvent().getBody()));
        case CHUNK -> chunk(entry.getChunk());
        case STEP -> {
          ExportedStep step = entry.getStep();
          tasks.step(step.getTask(), step.getStepKey(), StepRecord.parseFrom(step.getRecord()));
        }
        case RECORD -> record(entry.getRecord());
        default -> {}
      }
    } catch (InvalidProtocolBufferException e) {
      throw Entries.invalidFile("an entry of it can't be read");
    }
  }

  /** Ends a unit of the file. */
  void endOfUnit() {
    tasks.endOfUnit();
    repeated.endOfUnit();
    chains.endOfUnit();
  }

  private void event(EventRecord event) {
    boolean isThere = !event.getPayload().isEmpty();
    if (isThere
        && !Commitment.of(event.getSalt().toByteArray(), event.getPayload())
            .equals(event.getCommitment())) {
      isNot(
          "the payload of the event " + event.getSequence() + " of " + event.getResourceId(),
          "the one that it has the commitment of");
    }
    if (!event.getTaskId().isEmpty()) {
      tasks.event(event);
    }
    if (isThere) {
      RepeatedContent.parsed(event.getPayload()).ifPresent(payload -> payload(event, payload));
    }
  }

  private void payload(EventRecord event, JsonNode payload) {
    repeated.event(event, payload);
    if (event.getEvent().equals(EventKinds.DEPENDENCY_RECORDED)) {
      tasks.recorded(
          event.getTaskId(), payload.path("key").asText(), payload.path("commitment").asText());
    }
  }

  private void chunk(ExportedChunk chunk) {
    if (!chunk.getBlob().equals(blob)) {
      blob = chunk.getBlob();
      chunks = 0;
      content = new RunningSha256();
    }
    if (chunk.getNumber() != chunks++) {
      throw Entries.invalidFile("the pieces of the blob " + blob + " are not in their order");
    }
    content.add(chunk.getData().toByteArray());
  }

  private void record(ExportedRecord record) throws InvalidProtocolBufferException {
    if (record.getKind() == ArtifactStore.ARTIFACT.number()) {
      artifact(ArtifactRecord.parseFrom(record.getRecord()));
    } else if (record.getKind() == ImportedKeys.RECEIPT_KEY.number()) {
      key(record.getId(), ReceiptKeyRecord.parseFrom(record.getRecord()));
    } else if (record.getKind() == ReceiptStore.RECEIPT.number()) {
      ReceiptRecord receipt = ReceiptRecord.parseFrom(record.getRecord());
      chains.receipt(receipt);
      receipt(receipt);
    } else if (record.getKind() == ReceiptStore.RECEIPT_CHAIN.number()) {
      chains.end(ReceiptChainRecord.parseFrom(record.getRecord()));
    } else if (record.getKind() == TaskStore.TASK.number()) {
      tasks.task(TaskRecord.parseFrom(record.getRecord()));
    } else if (record.getKind() == TaskStore.TASK_INPUT.number()) {
      repeated.input(record.getId(), TaskInput.parseFrom(record.getRecord()));
    } else if (record.getKind() == OutcomeStore.OUTCOME.number()) {
      repeated.outcome(OutcomeRecord.parseFrom(record.getRecord()).getOutcome());
    } else if (record.getKind() == MessageStore.MESSAGE.number()) {
      Message message = Message.parseFrom(record.getRecord());
      hidden(record, message);
      repeated.message(message);
    } else if (record.getKind() == MemoryStore.MEMORY.number()) {
      hidden(record, MemoryRecord.parseFrom(record.getRecord()));
    }
  }

  private void hidden(ExportedRecord record, MessageLite stored) {
    if (!HiddenContent.isCommitted(stored)) {
      isNot("what is hidden of " + record.getId(), "what was committed to");
    }
  }

  private void artifact(ArtifactRecord record) {
    repeated.artifact(record.getArtifact());
    boolean isItsContent = record.getBlobId().isEmpty() || isHashOf(record);
    if (!isItsContent || !HiddenContent.isCommitted(record)) {
      isNot(
          "the content of the artifact " + record.getArtifact().getId(),
          "the one that it has the hash of");
    }
  }

  /** The pieces of an artifact's content come right before it. */
  private boolean isHashOf(ArtifactRecord record) {
    RunningSha256 its = record.getBlobId().equals(blob) ? content : new RunningSha256();
    String stated = record.getArtifact().getSha256().toLowerCase(Locale.ROOT);
    return its.soFar().toString().equals("sha256:" + stated);
  }

  private void key(String id, ReceiptKeyRecord record) {
    VerificationKey key = ImportedKeys.verificationKey(record);
    if (!key.id().equals(record.getId()) || !key.id().equals(id)) {
      throw Entries.invalidFile("the key " + id + " has the id of another one");
    }
    keys.put(key.id(), VerificationKey.of(key.publicKey(), key.validity().undisputed()));
    if (keys.size() > ImportedKeys.MOST) {
      throw Entries.invalidFile("it has more than " + ImportedKeys.MOST + " keys");
    }
    inItself = new ReceiptVerifier(Trust.unproven(KeySet.of(keys.values())));
  }

  private void receipt(ReceiptRecord record) {
    byte[] wire = record.getWire().toByteArray();
    Receipt receipt;
    try {
      receipt = Receipt.parse(wire);
    } catch (InvalidReceiptException e) {
      doesNotVerify(record, e.getMessage());
      return;
    }
    if (!ReceiptStore.saysTheSame(record, receipt)) {
      faults.found("the record of the receipt " + record.getId() + " does not say what that says");
      return;
    }
    tasks.receipt(receipt);
    String issuer = receipt.issuer().id();
    KeySet trustedKeys = trust.of(issuer, keyIds(receipt));
    Verification trusted =
        new ReceiptVerifier(Trust.of(ReceiptKeys.undisputed(trustedKeys))).verify(wire);
    if (trusted.verdict() == Verdict.VALID) {
      // A sound key that signs the file vouches for all that its own server has issued.
      if (!issuer.equals(source)
          && new ReceiptVerifier(Trust.of(trustedKeys)).verify(wire).verdict() != Verdict.VALID) {
        faults.doubtful(record.getId());
      }
      issuerKeys(receipt).forEach(key -> signedFor(key, issuer));
      return;
    }
    Verification alone = inItself.verify(wire);
    if (alone.verdict() == Verdict.INVALID) {
      doesNotVerify(record, failure(alone));
    } else if (receipt.signatures().isEmpty()) {
      faults.unsigned();
    } else {
      String key = receipt.issuer().publicKeyId().orElse(receipt.signatures().get(0).keyId());
      if (trust.isOfAnother(key, issuer)) {
        doesNotVerify(record, "the key " + key + " is of another installation than its issuer");
      } else if (trust.confirms(key, issuer)) {
        doesNotVerify(record, failure(trusted));
      } else {
        faults.unconfirmed(key, trust.isThis(issuer));
      }
    }
  }

  private static List<String> issuerKeys(Receipt receipt) {
    return receipt.issuer().publicKeyId().map(List::of).orElseGet(() -> keyIds(receipt));
  }

  private static List<String> keyIds(Receipt receipt) {
    return receipt.signatures().stream().map(ReceiptSignature::keyId).distinct().toList();
  }

  /** Nothing may be known yet of whose a key is, but no key is of two installations. */
  private void signedFor(String keyId, String issuer) {
    if (trust.confirms(keyId, issuer)
        && !signedFor.computeIfAbsent(keyId, id -> issuer).equals(issuer)) {
      faults.found(
          "the key "
              + keyId
              + " has signed for two installations, "
              + signedFor.get(keyId)
              + " and "
              + issuer);
    }
  }

  /** A key that is trusted has signed the whole file. */
  void signedAsWhole(ImportFaults.SignedFile by) {
    signedFor(by.keyId(), by.installation());
  }

  private static String failure(Verification verification) {
    return verification.failure().map(CheckResult::toString).orElseGet(verification::summary);
  }

  private void doesNotVerify(ReceiptRecord record, String why) {
    faults.found("the receipt " + record.getId() + " does not verify: " + why);
  }

  private void isNot(String what, String expected) {
    faults.found(what + " is not " + expected);
  }
}

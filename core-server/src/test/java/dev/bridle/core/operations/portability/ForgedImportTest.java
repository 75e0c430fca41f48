package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.core.kernel.event.Commitment;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.LogDigest;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.outcome.OutcomeStore;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.receipt.OwedReceipts;
import dev.bridle.core.work.receipt.ReceiptStore;
import dev.bridle.core.work.receipt.StoredReceipts;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedRecord;
import dev.bridle.record.v1.Lease;
import dev.bridle.record.v1.OutcomeRecord;
import dev.bridle.record.v1.OwedReceiptRecord;
import dev.bridle.record.v1.Parked;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskStatus;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.TaskLease;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A forger computes all that nobody signs; what is signed can't be taken away, either. */
class ForgedImportTest extends ExportedTask {
  private static final ExportEntry LEFT_OUT = ExportEntry.getDefaultInstance();
  private static final Set<RecordDef<?>> PROOFS =
      Set.of(
          ImportedKeys.RECEIPT_KEY,
          ReceiptStore.RECEIPT,
          ReceiptStore.RECEIPT_CHAIN,
          ReceiptStore.RECEIPT_NODE);
  private static final String NOT_PROVEN = "nothing proves 1 of its tasks, such as ";

  private byte[] withoutProofs(UnaryOperator<TaskRecord.Builder> task) {
    return changed(
        entry ->
            PROOFS.stream().anyMatch(kind -> RewrittenFile.isOf(entry, kind))
                ? LEFT_OUT
                : RewrittenFile.withTask(entry, task));
  }

  /** Changes events, with all that follows from them and that nobody signs. */
  private byte[] withEvents(UnaryOperator<EventRecord.Builder> change) {
    ByteString[] log = {ByteString.EMPTY};
    return changed(
        entry -> {
          if (!isOfTask(entry)) {
            return RewrittenFile.withTask(entry, record -> record.setLogDigestState(log[0]));
          }
          return RewrittenFile.withEvent(
              entry,
              event -> {
                EventRecord.Builder other = change.apply(event.toBuilder());
                other.setCommitment(
                    Commitment.of(other.getSalt().toByteArray(), other.getPayload()));
                log[0] = LogDigest.append(log[0], other.build());
                return other.build();
              });
        });
  }

  private static EventRecord eventOf(ExportEntry entry) {
    return RewrittenFile.parse(EventRecord.parser(), entry.getEvent().getBody());
  }

  private static boolean isOfTask(ExportEntry entry) {
    return entry.hasEvent() && !eventOf(entry).getTaskId().isEmpty();
  }

  private byte[] withoutEvents(Predicate<EventRecord> which) {
    return changed(entry -> isOfTask(entry) && which.test(eventOf(entry)) ? LEFT_OUT : entry);
  }

  private ImportSummary unverified(byte[] changed) {
    return Transfer.load(target, changed, Transfer.into("default").setUnverified(true));
  }

  @Test
  void aTaskWhoseReceiptWasTakenAwayIsNotProven() {
    refused(withoutProofs(record -> record), NOT_PROVEN + task);
  }

  @Test
  void aTaskThatNoLongerNamesItsReceiptIsNotProven() {
    refused(withoutProofs(ForgedImportTest::withoutReceipt), NOT_PROVEN + task);
  }

  private static TaskRecord.Builder withoutReceipt(TaskRecord.Builder record) {
    record.getTaskBuilder().clearReceiptId();
    return record.setReceiptDeclined(true).setFactsKept(false);
  }

  @Test
  void itIsTakenUnverifiedAndTheSummarySaysSo() {
    ImportSummary loaded = unverified(withoutProofs(ForgedImportTest::withoutReceipt));

    assertThat(loaded.getUnprovenTasks()).isOne();
    assertThat(loaded.getFaultCount()).isZero();
  }

  @Test
  void aReceiptThatIsOwedIsRefusedAndElseSaysThatTheLogCameFromAFile() {
    byte[] changed =
        RewrittenFile.each(
            withoutProofs(
                record -> {
                  record.getTaskBuilder().clearReceiptId();
                  return record;
                }),
            entry ->
                RewrittenFile.isOf(entry, TaskStore.TASK)
                    ? List.of(owed(), entry)
                    : List.of(entry));
    assertThatThrownBy(() -> Transfer.load(target, changed)).hasMessageContaining(NOT_PROVEN);

    var unused = unverified(changed);
    String key = target.key();
    target.close();
    target = TestCore.restart(directory.resolve("target"), TaskOptions.DEFAULT, key);

    await().until(() -> !target.task(task).getReceiptId().isEmpty());
    assertImported(new StoredReceipts(target).of(task), target.record(task).getNextSequence());
  }

  private ExportEntry owed() {
    return ExportEntry.newBuilder()
        .setRecord(
            ExportedRecord.newBuilder()
                .setKind(OwedReceipts.RECEIPT_OWED.number())
                .setId(task)
                .setRecord(
                    OwedReceiptRecord.newBuilder()
                        .setTaskId(task)
                        .setSessionId(source.task(task).getSessionId())
                        .build()
                        .toByteString()))
        .build();
  }

  private void assertImported(Receipt receipt, long events) {
    assertThat(receipt.metadata("bridle.imported"))
        .hasValueSatisfying(
            imported -> {
              assertThat(imported.path("installation").asText())
                  .isEqualTo(new StoredReceipts(source).of(task).issuer().id());
              assertThat(imported.path("events").asLong()).isEqualTo(events);
            });
  }

  @Test
  void theReceiptOfALiveTaskSaysWhichOfItsEventsCameFromAFile() {
    String live = source.submit(source.newSession()).getId();
    long brought = source.record(live).getNextSequence();

    var unused =
        Transfer.load(target, Transfer.tenant(source), Transfer.into("default").setTakeOver(true));
    try (TestWorker worker = new TestWorker(target.owner(), "", "w1")) {
      worker.want(1);
      TaskLease lease = worker.lease();
      var unusedEnd = target.workers().completeTask(WorkerRequests.complete(lease).build());
    }

    assertThat(target.record(live).getNextSequence()).isGreaterThan(brought);
    assertImported(new StoredReceipts(target).of(live), brought);
    assertThat(new StoredReceipts(target).of(task).metadata("bridle.imported")).isEmpty();
  }

  @Test
  void anEndedTaskThatIsSaidToBeLiveIsRefused() {
    refused(
        changed(
            entry ->
                RewrittenFile.withTask(
                    entry,
                    record -> {
                      record.getTaskBuilder().setStatus(TaskStatus.TASK_STATUS_WORKING);
                      return record.setParked(Parked.getDefaultInstance());
                    })),
        "the task " + task + " is live, and has the receipt of its end");
  }

  @Test
  void nobodyWorksOnALiveTaskHoweverTheFileSaysThatItStands() {
    String live = source.submit(source.newSession()).getId();
    Lease lost =
        Lease.newBuilder()
            .setState(LeaseState.LEASE_STATE_HELD)
            .setFence(1)
            .setDueAt(1)
            .setDueKind("LEASE")
            .build();
    byte[] changed =
        RewrittenFile.of(
            Transfer.tenant(source),
            entry ->
                RewrittenFile.withTask(
                    entry,
                    record ->
                        record.getTask().getId().equals(live)
                            ? record.clearParked().setLease(lost)
                            : record));

    var unused = Transfer.load(target, changed, Transfer.into("default").setUnverified(true));

    assertThat(target.record(live).hasParked()).isTrue();
    assertThat(target.record(live).getLease().getState()).isEqualTo(LeaseState.LEASE_STATE_FREE);
    try (TestWorker worker = new TestWorker(target.owner(), "", "w1")) {
      worker.want(1);
      String own = target.submit(target.newSession()).getId();
      assertThat(worker.lease().getTask().getId()).isEqualTo(own);
      assertThat(worker.next(Duration.ofMillis(300))).isEmpty();
    }
  }

  @Test
  void aChangedEventIsNotTheOneThatItsReceiptProves() {
    refused(
        withEvents(event -> event.setActor("somebody else")),
        "the events of the task " + task + " are not those that its receipt proves");
  }

  @Test
  void aRecordedValueThatIsChangedWithItsEventIsRefused() {
    byte[] changed =
        withEvents(
            event ->
                event.getEvent().equals(EventKinds.DEPENDENCY_RECORDED)
                    ? event.setPayload(
                        ByteString.copyFromUtf8(
                            "{\"key\":\"llm:main:1\",\"commitment\":\"sha256:00\"}"))
                    : event);

    refused(changed, "the recorded value of the step 'llm:main:1'");
  }

  @Test
  void aTaskThatLacksItsLastEventsIsNotProven() {
    long last = source.record(task).getNextSequence() - 1;

    refused(withoutEvents(event -> event.getSequence() == last), NOT_PROVEN + task);
  }

  @Test
  void aTaskThatLacksItsFirstEventsIsNotProven() {
    refused(withoutEvents(event -> event.getSequence() == 0), NOT_PROVEN + task);
  }

  @Test
  void aTaskThatIsSaidToHaveEndedOtherwiseIsRefused() {
    refused(
        changed(
            entry ->
                RewrittenFile.withTask(
                    entry,
                    record -> {
                      record.getTaskBuilder().setStatus(TaskStatus.TASK_STATUS_FAILED);
                      return record;
                    })),
        "the task " + task + " did not end as its receipt says");
  }

  @Test
  void anEventOfATaskThatIsElsewhereInTheFileIsNotLoadedInItsPlace() {
    byte[] changed =
        RewrittenFile.each(
            file,
            entry ->
                isOfTask(entry) && eventOf(entry).getSequence() == 1
                    ? List.of(
                        entry,
                        RewrittenFile.withEvent(
                            entry, event -> event.toBuilder().setActor("else").build()))
                    : List.of(entry));

    refused(changed, NOT_PROVEN + task);
  }

  @Test
  void aValueWithoutSaltIsNotTakenForAnErasedOne() {
    refused(
        changed(
            entry ->
                entry.hasStep()
                    ? RewrittenFile.withStep(
                        entry,
                        step ->
                            step.getStep().hasValue() ? step.toBuilder().clearSalt().build() : step)
                    : entry),
        "the recorded value of the step 'llm:main:1'");
  }

  @Test
  void aPayloadWithoutSaltIsRefused() {
    refused(
        changed(
            entry ->
                entry.hasEvent()
                    ? RewrittenFile.withEvent(entry, event -> event.toBuilder().clearSalt().build())
                    : entry),
        "the payload of the event ");
  }

  @Test
  void anArtifactWithoutItsHashOrApartFromItsContentIsRefused() {
    byte[] unnamed =
        changed(
            entry -> {
              if (!RewrittenFile.isOf(entry, ArtifactStore.ARTIFACT)) {
                return entry;
              }
              ArtifactRecord.Builder record =
                  RewrittenFile.parse(ArtifactRecord.parser(), entry.getRecord().getRecord())
                      .toBuilder();
              record.getArtifactBuilder().clearSha256();
              return RewrittenFile.withRecord(entry, record.build().toByteString());
            });
    byte[] apart =
        RewrittenFile.each(
            file,
            entry ->
                entry.hasChunk()
                    ? List.of(
                        entry,
                        entry.toBuilder()
                            .setChunk(entry.getChunk().toBuilder().setBlob("other"))
                            .build())
                    : List.of(entry));

    refused(unnamed, "the content of the artifact ");
    assertThatThrownBy(() -> Transfer.load(target, apart))
        .hasMessageContaining("the content of the artifact ");
  }

  @Test
  void aSecondPieceOfTheSameContentIsNotLoadedInThePlaceOfTheFirst() {
    byte[] changed =
        RewrittenFile.each(
            file,
            entry ->
                entry.hasChunk()
                    ? List.of(
                        entry,
                        entry.toBuilder()
                            .setChunk(
                                entry.getChunk().toBuilder()
                                    .setData(ByteString.copyFromUtf8("b report")))
                            .build())
                    : List.of(entry));

    refused(changed, "are not in their order");
  }

  @Test
  void whatRecordsRepeatIsHeldAgainstTheEventsThatSayIt() {
    byte[] outcome =
        changed(
            entry -> {
              if (!RewrittenFile.isOf(entry, OutcomeStore.OUTCOME)) {
                return entry;
              }
              OutcomeRecord.Builder record =
                  RewrittenFile.parse(OutcomeRecord.parser(), entry.getRecord().getRecord())
                      .toBuilder();
              record.getOutcomeBuilder().setSummary("done, and more");
              return RewrittenFile.withRecord(entry, record.build().toByteString());
            });
    byte[] input =
        changed(
            entry ->
                RewrittenFile.isOf(entry, TaskStore.TASK_INPUT)
                    ? RewrittenFile.withRecord(
                        entry,
                        TaskInput.newBuilder()
                            .setJson(ByteString.copyFromUtf8("{\"n\":2}"))
                            .build()
                            .toByteString())
                    : entry);
    byte[] artifact =
        changed(
            entry -> {
              if (entry.hasChunk()) {
                return entry.toBuilder()
                    .setChunk(entry.getChunk().toBuilder().setData(ByteString.EMPTY))
                    .build();
              }
              if (!RewrittenFile.isOf(entry, ArtifactStore.ARTIFACT)) {
                return entry;
              }
              ArtifactRecord.Builder record =
                  RewrittenFile.parse(ArtifactRecord.parser(), entry.getRecord().getRecord())
                      .toBuilder();
              record
                  .getArtifactBuilder()
                  .setSha256(Sha256.of(new byte[0]).toString().substring("sha256:".length()));
              return RewrittenFile.withRecord(entry, record.build().toByteString());
            });

    assertThatThrownBy(() -> Transfer.load(target, outcome))
        .hasMessageContaining("the outcome of the task " + task + " is not what its event says");
    assertThatThrownBy(() -> Transfer.load(target, input))
        .hasMessageContaining("the input of the task " + task + " is not what its event says");
    refused(artifact, "the artifact ");
  }

  @Test
  void aMessageIsHeldAgainstItsEvent() {
    var unused =
        MessageServiceGrpc.newBlockingStub(source.owner())
            .appendSessionMessage(
                AppendSessionMessageRequest.newBuilder()
                    .setSessionId(source.task(task).getSessionId())
                    .setMessage(World.text("what was said"))
                    .build());
    byte[] file = Transfer.tenant(source);

    assertThatThrownBy(
            () -> Transfer.load(target, RewrittenFile.of(file, ForgedImportTest::withOtherWords)))
        .hasMessageContaining("the message ")
        .hasMessageContaining(" is not what its event says");
    assertThat(Transfer.load(target, file).getEvents()).isPositive();
  }

  private static ExportEntry withOtherWords(ExportEntry entry) {
    if (!RewrittenFile.isOf(entry, MessageStore.MESSAGE)) {
      return entry;
    }
    Message.Builder record =
        RewrittenFile.parse(Message.parser(), entry.getRecord().getRecord()).toBuilder();
    record.getPartsBuilder(0).getTextBuilder().setText("what was not said");
    return RewrittenFile.withRecord(entry, record.build().toByteString());
  }

  @Test
  void aTaskThatIsTakenAwayWithItsReceiptBreaksTheChain() {
    String session = source.task(task).getSessionId();
    var unused = source.submit(session);
    try (TestWorker worker = new TestWorker(source.owner(), "", "w1")) {
      worker.want(1);
      var unusedEnd =
          source.workers().completeTask(WorkerRequests.complete(worker.lease()).build());
    }
    byte[] file = Transfer.tenant(source);

    byte[] without = RewrittenFile.of(file, entry -> isAbout(entry, task) ? LEFT_OUT : entry);

    assertThatThrownBy(() -> Transfer.load(target, without))
        .hasMessageContaining(
            "the chain of the receipts of the session " + session + " is not whole");
    assertThat(Transfer.load(target, file).getEvents()).isPositive();
  }

  private static boolean isAbout(ExportEntry entry, String task) {
    boolean isEvent = isOfTask(entry) && eventOf(entry).getTaskId().equals(task);
    boolean isReceipt =
        RewrittenFile.isOf(entry, ReceiptStore.RECEIPT) && entry.toString().contains(task);
    boolean isTask =
        RewrittenFile.isOf(entry, TaskStore.TASK) && entry.getRecord().getId().equals(task);
    return isEvent || isReceipt || isTask || entry.getStep().getTask().equals(task);
  }
}

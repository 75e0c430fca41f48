package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.CheckStorageRequest;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.admin.v1.ImportedReceiptKey;
import dev.bridle.admin.v1.ListSigningKeysRequest;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.RevokeSigningKeyRequest;
import dev.bridle.admin.v1.StorageServiceGrpc;
import dev.bridle.admin.v1.TrustReceiptKeyRequest;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.dispatch.TestWorker;
import dev.bridle.core.work.dispatch.WorkerRequests;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.message.v1.AppendSessionMessageRequest;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.MessageServiceGrpc;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.receipt.v1.ReceiptVerification;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.worker.v1.TaskLease;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who has made a file is known by keys that somebody vouches for, and else it is said. */
class ImportTrustTest {
  @TempDir private Path directory;
  private TestCore source;
  private TestCore target;
  private String task;

  @BeforeEach
  void start() {
    source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
    target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
    task = completed();
  }

  private String completed() {
    String id = source.submit(source.newSession()).getId();
    try (TestWorker worker = new TestWorker(source.owner(), "", "w1")) {
      worker.want(1);
      TaskLease lease = worker.lease();
      var unused =
          source.workers().completeTask(WorkerRequests.complete(lease).setSummary("done").build());
    }
    return id;
  }

  @AfterEach
  void stop() {
    source.close();
    target.close();
  }

  private static String verdictOf(Throwable refused) {
    try {
      byte[] detail = Status.trailersFromThrowable(refused).get(ErrorMapper.DETAIL);
      return ErrorDetail.parseFrom(detail).getDetails().toStringUtf8();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private ReceiptVerification verified() {
    return ReceiptServiceGrpc.newBlockingStub(target.owner())
        .verifyReceipt(
            VerifyReceiptRequest.newBuilder()
                .setReceiptId(target.task(task).getReceiptId())
                .build());
  }

  private String keyOfSource() {
    return KeySet.parse(
            ReceiptServiceGrpc.newBlockingStub(source.owner())
                .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
                .getDocument()
                .toByteArray())
        .keys()
        .get(0)
        .id();
  }

  private Optional<ImportedReceiptKey> imported(String key) {
    return OAuthAdminServiceGrpc.newBlockingStub(target.operator())
        .listSigningKeys(ListSigningKeysRequest.getDefaultInstance())
        .getImportedKeysList()
        .stream()
        .filter(one -> one.getId().equals(key))
        .findFirst();
  }

  private List<String> notChecked() {
    List<String> notChecked = new ArrayList<>();
    StorageServiceGrpc.newBlockingStub(target.operator())
        .checkStorage(CheckStorageRequest.getDefaultInstance())
        .forEachRemaining(said -> notChecked.addAll(said.getSummary().getNotCheckedList()));
    return notChecked;
  }

  private static void compromised(TestCore core, String key, Instant since) {
    var unused =
        OAuthAdminServiceGrpc.newBlockingStub(core.operator())
            .revokeSigningKey(
                RevokeSigningKeyRequest.newBuilder()
                    .setKeyId(key)
                    .setCompromisedSince(Timestamps.fromMillis(since.toEpochMilli()))
                    .build());
  }

  @Test
  void aFileOfAnUnknownServerIsRefusedUntilItsKeysAreGiven() {
    byte[] file = Transfer.tenant(source);

    assertThatThrownBy(() -> Transfer.loadWithoutKeys(target, file, Transfer.into("default")))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining(keyOfSource())
        .satisfies(refused -> assertThat(verdictOf(refused)).contains("\"consistent\""));
    assertThatThrownBy(() -> target.task(task)).hasMessageContaining("There is no such task");

    assertThat(Transfer.load(target, file).getUnconfirmedKeyIdsList()).isEmpty();
    assertThat(verified().getValid()).isTrue();
    assertThat(imported(keyOfSource()).orElseThrow().getConfirmed()).isTrue();
  }

  @Test
  void aKeyThatIsConfirmedVouchesForLaterFilesToo() {
    var unused = Transfer.load(target, Transfer.tenant(source));
    task = completed();

    var unusedToo =
        Transfer.loadWithoutKeys(target, Transfer.tenant(source), Transfer.into("default"));

    assertThat(verified().getValid()).isTrue();
  }

  @Test
  void anUnverifiedImportIsNotValidUntilItsKeyIsTrusted() {
    ImportSummary loaded =
        Transfer.loadWithoutKeys(
            target, Transfer.tenant(source), Transfer.into("default").setUnverified(true));

    assertThat(loaded.getUnconfirmedKeyIdsList()).containsExactly(keyOfSource());
    assertThat(verified().getValid()).isFalse();
    assertThat(verified().getReason()).startsWith("origin: ");
    assertThat(imported(keyOfSource()).orElseThrow().getConfirmed()).isFalse();
    assertThat(notChecked()).singleElement().asString().contains(keyOfSource());
    assertThat(
            target
                .events()
                .listEvents(ListEventsRequest.newBuilder().setLimit(200).build())
                .getDataList())
        .filteredOn(event -> event.getEvent().equals(EventKinds.IMPORTED))
        .singleElement()
        .extracting(event -> event.getPayload().toStringUtf8(), STRING)
        .contains("\"unverified\":true");

    var unused =
        OAuthAdminServiceGrpc.newBlockingStub(target.operator())
            .trustReceiptKey(TrustReceiptKeyRequest.newBuilder().setKeyId(keyOfSource()).build());

    assertThat(verified().getValid()).isTrue();
    assertThat(notChecked()).isEmpty();
    assertThatThrownBy(
            () ->
                OAuthAdminServiceGrpc.newBlockingStub(target.operator())
                    .trustReceiptKey(TrustReceiptKeyRequest.newBuilder().setKeyId("none").build()))
        .hasMessageContaining("There is no such imported receipt key");
  }

  @Test
  void aFileDoesNotSayOfItsOwnKeysThatTheyAreConfirmed() {
    byte[] file = withKey(key -> key.setStateValue(1));

    var unused =
        Transfer.loadWithoutKeys(target, file, Transfer.into("default").setUnverified(true));

    assertThat(verified().getValid()).isFalse();
  }

  @Test
  void aFileWithoutItsKeysIsOfUnknownOriginToo() {
    byte[] file =
        RewrittenFile.of(
            Transfer.tenant(source),
            entry -> RewrittenFile.isKey(entry) ? ExportEntry.getDefaultInstance() : entry);

    assertThatThrownBy(() -> Transfer.loadWithoutKeys(target, file, Transfer.into("default")))
        .hasMessageContaining(keyOfSource());
  }

  @Test
  void aKeyUnderTheIdOfAnotherIsRefused() {
    byte[] file = withKey(key -> key.setPublicKey(ByteString.copyFrom(otherKey().publicKey())));

    assertThatThrownBy(
            () ->
                Transfer.loadWithoutKeys(
                    target, file, Transfer.into("default").setUnverified(true)))
        .hasMessageContaining("has the id of another one");
  }

  /** Exports, with another record of each key. */
  private byte[] withKey(UnaryOperator<ReceiptKeyRecord.Builder> change) {
    return RewrittenFile.of(
        Transfer.tenant(source),
        entry ->
            RewrittenFile.isKey(entry)
                ? RewrittenFile.withRecord(
                    entry,
                    change
                        .apply(
                            RewrittenFile.parse(
                                ReceiptKeyRecord.parser(), entry.getRecord().getRecord())
                                .toBuilder())
                        .build()
                        .toByteString())
                : entry);
  }

  private VerificationKey otherKey() {
    return KeySet.parse(
            ReceiptServiceGrpc.newBlockingStub(target.owner())
                .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
                .getDocument()
                .toByteArray())
        .keys()
        .get(0);
  }

  @Test
  void laterKeysMoveTheTimeOfACompromiseBack() {
    var unused = Transfer.load(target, Transfer.tenant(source));
    Instant since = Instant.now().minusSeconds(3600).truncatedTo(ChronoUnit.SECONDS);
    compromised(source, keyOfSource(), since);
    String old = firstImported();
    task = completed();

    var unusedToo = Transfer.load(target, Transfer.tenant(source));

    assertThat(imported(old).orElseThrow().getCompromisedSince())
        .isEqualTo(Timestamps.fromMillis(since.toEpochMilli()));
  }

  private String firstImported() {
    return OAuthAdminServiceGrpc.newBlockingStub(target.operator())
        .listSigningKeys(ListSigningKeysRequest.getDefaultInstance())
        .getImportedKeys(0)
        .getId();
  }

  @Test
  void anOperatorDeclaresTheKeyOfAnotherInstallationCompromised() {
    var unused = Transfer.load(target, Transfer.tenant(source));
    String key = keyOfSource();
    Instant since = Instant.now().minusSeconds(3600);

    compromised(target, key, since);

    assertThat(verified().getValid()).as("it was signed since then").isFalse();
    assertThatThrownBy(() -> compromised(target, key, since.plusSeconds(60)))
        .hasMessageContaining("may only move back");
    compromised(target, key, since.minusSeconds(60));
    assertThat(imported(key).orElseThrow().getCompromisedSince())
        .isEqualTo(Timestamps.fromMillis(since.minusSeconds(60).toEpochMilli()));
  }

  @Test
  void whatIsHiddenIsHeldAgainstItsCommitment() {
    var unused =
        MessageServiceGrpc.newBlockingStub(source.owner())
            .appendSessionMessage(
                AppendSessionMessageRequest.newBuilder()
                    .setSessionId(source.newSession())
                    .setMessage(
                        MessageInput.newBuilder()
                            .setRole(Role.ROLE_USER)
                            .addParts(
                                Part.newBuilder()
                                    .setText(
                                        TextPart.newBuilder()
                                            .setText("hidden")
                                            .setVisibility(Visibility.VISIBILITY_INTERNAL))))
                    .build());
    byte[] file = Transfer.tenant(source);

    assertThatThrownBy(
            () -> Transfer.load(target, RewrittenFile.of(file, ImportTrustTest::withOtherText)))
        .hasMessageContaining("what is hidden of ");
    assertThat(Transfer.load(target, file).getEvents()).isPositive();
  }

  private static ExportEntry withOtherText(ExportEntry entry) {
    if (!entry.hasRecord() || entry.getRecord().getKind() != MessageStore.MESSAGE.number()) {
      return entry;
    }
    Message.Builder message =
        RewrittenFile.parse(Message.parser(), entry.getRecord().getRecord()).toBuilder();
    message.getPartsBuilder(0).getTextBuilder().setText("other");
    return RewrittenFile.withRecord(entry, message.build().toByteString());
  }
}

package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportBegin;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.admin.v1.ImportedReceiptKey;
import dev.bridle.admin.v1.ListSigningKeysRequest;
import dev.bridle.admin.v1.ListSigningKeysResponse;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc.OAuthAdminServiceBlockingStub;
import dev.bridle.admin.v1.RevokeSigningKeyRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.admin.v1.TrustReceiptKeyRequest;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.receipt.ImportedKeys;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.receipt.v1.ListReceiptsRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.receipt.v1.ReceiptVerification;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import io.grpc.Channel;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What is known here of the keys of other installations, and what files say of them. */
class KnownKeysTest extends ExportedTask {
  private static final int ENCODED_HEAD = 12;

  @Test
  void aCompromiseIsKnownToATenantThatConfirmedTheKeyBefore() {
    var unused = Transfer.load(target, file, Transfer.into("one"));
    String session = source.task(task).getSessionId();
    byte[] stolen =
        Transfer.export(source, ExportRequest.newBuilder().setSessionId(session).build());
    compromisedAtSource();
    var unusedToo = Transfer.load(target, Transfer.tenant(source), Transfer.into("two"));

    assertThatThrownBy(() -> Transfer.loadWithoutKeys(target, stolen, Transfer.into("one")))
        .hasMessageContaining("does not verify");
  }

  @Test
  void aCompromiseStaysKnownWhenTheTenantThatKnewItIsDeleted() {
    byte[] before = file;
    compromisedAtSource();
    var unused = Transfer.load(target, Transfer.tenant(source), Transfer.into("knows"));
    var unusedToo =
        TenantServiceGrpc.newBlockingStub(target.operator())
            .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId("knows").build());

    assertThatThrownBy(() -> Transfer.load(target, before, Transfer.into("fresh")))
        .hasMessageContaining("does not verify");
  }

  @Test
  void whatTheOperatorSaysOfAKeyThatNobodyHasConfirmedHoldsForTenantsThatComeLater() {
    byte[] unsigned = RewrittenFile.of(file, entry -> entry);
    var unused =
        Transfer.loadWithoutKeys(target, unsigned, Transfer.into("apart").setUnverified(true));
    compromised(target.operator());

    assertThatThrownBy(() -> Transfer.load(target, file, Transfer.into("fresh")))
        .hasMessageContaining("does not verify");
    var unusedTrust =
        admin(target.operator())
            .trustReceiptKey(TrustReceiptKeyRequest.newBuilder().setKeyId(keyOfSource()).build());
    assertThat(listed().getImportedKeysList()).allMatch(ImportedReceiptKey::hasCompromisedSince);
  }

  @Test
  void anotherServerThatIsTrustedSaysNothingOfAKeyThatHasSignedForItsOwn() {
    var unused = Transfer.load(target, file, Transfer.into("theirs"));

    try (TestCore other = TestCore.start(directory.resolve("other"), TaskOptions.DEFAULT)) {
      var unusedImport = Transfer.load(other, file);
      byte[] forged = claimed(other, other.newSession());
      var unusedToo =
          Transfer.loadWithoutKeys(
              target, forged, Transfer.into("theirs").setKeys(Transfer.keysOf(other)));
    }

    assertThat(listed().getImportedKeysList()).noneMatch(ImportedReceiptKey::hasCompromisedSince);
    assertThat(Transfer.load(target, file, Transfer.into("later")).getSignedByKeyId())
        .isEqualTo(keyOfSource());
  }

  @Test
  void aServerThatHasSignedForItselfSignsForNoOther() {
    var unused = Transfer.load(target, file, Transfer.into("theirs"));

    try (TestCore other = namingTheSource(core -> load(Transfer.tenant(core), "others", core))) {
      byte[] forged = Transfer.tenant(other);

      for (String tenant : List.of("theirs", "others", "fresh")) {
        assertThatThrownBy(() -> load(forged, tenant, other))
            .hasMessageContaining("is of another installation than");
      }
    }
  }

  @Test
  void whoNamesAnotherInstallationAsItsOwnSaysNothingOfTheKeysOfThatOne() {
    var unused = Transfer.load(target, file, Transfer.into("theirs"));

    try (TestCore other = namingTheSource(core -> {})) {
      other.store().transact(this::withKeyOfSource);
      ExportRequest ask = ExportRequest.newBuilder().setSessionId(other.newSession()).build();
      load(Transfer.export(other, ask), "theirs", other);
    }

    assertThat(listed().getImportedKeysList())
        .hasSize(2)
        .noneMatch(ImportedReceiptKey::hasCompromisedSince);
  }

  /** Starts another server, which names the source as its own installation. */
  private TestCore namingTheSource(Consumer<TestCore> before) {
    Path folder = directory.resolve("other");
    String own;
    String key;
    try (TestCore other = TestCore.start(folder, TaskOptions.DEFAULT)) {
      before.accept(other);
      own = Transfer.read(Transfer.tenant(other)).header().installation();
      key = other.key();
    }
    StoppedServer.rename(folder, own, installation());
    return TestCore.restart(folder, TaskOptions.DEFAULT, key);
  }

  private void load(byte[] file, String tenant, TestCore from) {
    var unused =
        Transfer.loadWithoutKeys(
            target, file, Transfer.into(tenant).setKeys(Transfer.keysOf(from)));
  }

  private String installation() {
    return Transfer.read(file).header().installation();
  }

  private boolean withKeyOfSource(Transaction tr) {
    VerificationKey key = KeySet.parse(RewrittenFile.keys(file).toByteArray()).keys().get(0);
    ImportedKeys.RECEIPT_KEY
        .store(KeyLayout.root())
        .insert(
            tr,
            "default",
            key.id(),
            ReceiptKeyRecord.newBuilder()
                .setId(key.id())
                .setInstallation(installation())
                .setPublicKey(ByteString.copyFrom(key.publicKey()))
                .setCompromisedSince(1)
                .setDeclaredAt(1)
                .build());
    return true;
  }

  /** Returns an export of a server that calls the source's key its own, and compromised. */
  private byte[] claimed(TestCore other, String session) {
    ExportRequest ask = ExportRequest.newBuilder().setSessionId(session).build();
    String installation = Transfer.read(Transfer.export(other, ask)).header().installation();
    other
        .store()
        .transact(
            tr -> {
              RecordStore<ReceiptKeyRecord> keys = ImportedKeys.RECEIPT_KEY.store(KeyLayout.root());
              ReceiptKeyRecord there = keys.get(tr, "default", keyOfSource()).orElseThrow();
              ReceiptKeyRecord claimed =
                  there.toBuilder()
                      .setInstallation(installation)
                      .setCompromisedSince(1)
                      .setDeclaredAt(1)
                      .build();
              keys.update(tr, "default", keyOfSource(), there, claimed);
              return true;
            });
    return Transfer.export(other, ask);
  }

  private void compromisedAtSource() {
    compromised(source.operator());
  }

  private void compromised(Channel operator) {
    compromised(operator, Instant.now().minusSeconds(3600));
  }

  private void compromised(Channel operator, Instant since) {
    var unused =
        admin(operator)
            .revokeSigningKey(
                RevokeSigningKeyRequest.newBuilder()
                    .setKeyId(keyOfSource())
                    .setCompromisedSince(Timestamps.fromMillis(since.toEpochMilli()))
                    .build());
  }

  @Test
  void whoTrustsAKeyLaterDoesNotTrustWhatAnUnverifiedFileSaidOfIt() {
    byte[] poisoned =
        withKeys(
            key -> key.toBuilder().setRetiredAt(1).setCompromisedSince(1).setDeclaredAt(1).build());
    var unused =
        Transfer.loadWithoutKeys(target, poisoned, Transfer.into("apart").setUnverified(true));
    var unusedTrust =
        admin(target.operator())
            .trustReceiptKey(TrustReceiptKeyRequest.newBuilder().setKeyId(keyOfSource()).build());

    assertThat(listed().getImportedKeysList())
        .singleElement()
        .satisfies(
            key -> {
              assertThat(key.getConfirmed()).isTrue();
              assertThat(key.hasRetiredAt()).isFalse();
              assertThat(key.hasCompromisedSince()).isFalse();
            });
    assertThat(Transfer.load(target, file, Transfer.into("honest")).getSignedByKeyId())
        .isEqualTo(keyOfSource());
  }

  private byte[] withKeys(UnaryOperator<ReceiptKeyRecord> change) {
    return RewrittenFile.of(
        file,
        entry ->
            RewrittenFile.isKey(entry)
                ? RewrittenFile.withRecord(
                    entry,
                    change
                        .apply(
                            RewrittenFile.parse(
                                ReceiptKeyRecord.parser(), entry.getRecord().getRecord()))
                        .toByteString())
                : entry);
  }

  @Test
  void aReceiptIsNoMoreValidInATenantThatConfirmedItsKeyBeforeOthersKnew() {
    var unused = Transfer.load(target, file, Transfer.into("one"));
    Channel owner = target.as(target.core().processCredential("one", "ada", Set.of("*")));
    String receipt =
        ReceiptServiceGrpc.newBlockingStub(owner)
            .listReceipts(ListReceiptsRequest.getDefaultInstance())
            .getData(0)
            .getId();
    VerifyReceiptRequest verify = VerifyReceiptRequest.newBuilder().setReceiptId(receipt).build();
    assertThat(ReceiptServiceGrpc.newBlockingStub(owner).verifyReceipt(verify).getValid()).isTrue();
    compromisedAtSource();
    var unusedToo = Transfer.load(target, Transfer.tenant(source), Transfer.into("two"));

    assertThat(ReceiptServiceGrpc.newBlockingStub(owner).verifyReceipt(verify).getValid())
        .isFalse();
  }

  @Test
  void aFileBringsNoMoreKeysThanATenantHas() {
    byte[] many = withMoreKeys(ImportedKeys.MOST);

    assertThatThrownBy(
            () -> Transfer.load(target, many, Transfer.into("apart").setUnverified(true)))
        .hasMessageContaining("more than 1000 keys");
  }

  @Test
  void keysThatNobodyHasConfirmedHideNoneThatSomebodyHas() {
    var unused = Transfer.load(target, file, Transfer.into("z-confirmed"));
    var unusedToo =
        Transfer.loadWithoutKeys(
            target,
            withMoreKeys(ImportedKeys.MOST - 1),
            Transfer.into("a-flood").setUnverified(true));

    ListSigningKeysResponse listed = listed();

    assertThat(listed.getImportedKeysList()).hasSize(1000);
    assertThat(listed.getImportedKeysList())
        .filteredOn(ImportedReceiptKey::getConfirmed)
        .extracting(ImportedReceiptKey::getTenantId)
        .contains("z-confirmed");
    assertThat(listed.getImportedKeysLeftOut()).isPositive();
  }

  private byte[] withMoreKeys(int count) {
    List<ExportEntry> made = new ArrayList<>();
    return RewrittenFile.each(
        file,
        entry -> {
          if (!RewrittenFile.isKey(entry) || !made.isEmpty()) {
            return List.of(entry);
          }
          made.add(entry);
          for (int i = 0; i < count; i++) {
            made.add(another(entry));
          }
          return made;
        });
  }

  private static ExportEntry another(ExportEntry key) {
    byte[] encoded = generator().generateKeyPair().getPublic().getEncoded();
    ReceiptKeyRecord.Builder record =
        RewrittenFile.parse(ReceiptKeyRecord.parser(), key.getRecord().getRecord()).toBuilder()
            .setPublicKey(
                ByteString.copyFrom(Arrays.copyOfRange(encoded, ENCODED_HEAD, encoded.length)));
    record.setId(ImportedKeys.verificationKey(record.build()).id());
    ExportEntry changed = RewrittenFile.withRecord(key, record.build().toByteString());
    return changed.toBuilder()
        .setRecord(changed.getRecord().toBuilder().setId(record.getId()))
        .build();
  }

  private static KeyPairGenerator generator() {
    try {
      return KeyPairGenerator.getInstance("Ed25519");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static ByteString keysOf(TestCore core, TestCore other) {
    List<VerificationKey> keys = new ArrayList<>();
    for (TestCore one : List.of(core, other)) {
      keys.addAll(KeySet.parse(Transfer.keysOf(one).toByteArray()).keys());
    }
    return ByteString.copyFrom(KeySet.of(keys).toJson());
  }

  private void toldToTheTarget() {
    compromisedAtSource();
    byte[] other = Transfer.tenant(target);
    var unused =
        Transfer.loadWithoutKeys(
            target, other, Transfer.into("copy").setKeys(Transfer.keysOf(source)));
  }

  @Test
  void aCompromiseThatTheOperatorTellsIsKnownAlsoIfTheFileHasNothingOfTheKey() {
    toldToTheTarget();

    assertThatThrownBy(() -> Transfer.load(target, file, Transfer.into("fresh")))
        .hasMessageContaining("does not verify");
  }

  @Test
  void aCompromiseThatTheOperatorTellsIsKnownAlsoIfTheFileIsRefused() {
    byte[] before = file;
    compromisedAtSource();
    ImportBegin.Builder told = Transfer.into("one").setKeys(Transfer.keysOf(source));
    assertThatThrownBy(() -> Transfer.loadWithoutKeys(target, before, told))
        .hasMessageContaining("does not verify");

    assertThatThrownBy(() -> Transfer.load(target, before, Transfer.into("fresh")))
        .hasMessageContaining("does not verify");
  }

  @Test
  void theTimeOfACompromiseMovesBackAlsoWhereNoTenantHasTheKey() {
    toldToTheTarget();
    Instant before = Instant.now().minusSeconds(7200);

    compromised(target.operator(), before);

    assertThatThrownBy(() -> compromised(target.operator(), before.plusSeconds(60)))
        .hasMessageContaining("may only move back");
  }

  @Test
  void aReceiptOfAnotherServerIsInDoubtOnceItsKeyIsCompromisedLater() {
    var unused = Transfer.load(target, file);
    Instant after = afterNow();

    compromised(target.operator(), after);
    ReceiptVerification verified = verified(target, VerifyReceiptRequest.newBuilder());

    assertThat(verified.getValid()).isFalse();
    assertThat(verified.getReason()).contains("whether this is older can't be known");
    assertThat(verified.getDetails().toStringUtf8()).contains("\"verdict\":\"consistent\"");
    compromised(source.operator(), after);
    assertThat(verified(source, VerifyReceiptRequest.newBuilder()).getValid())
        .as("its own server has its chain")
        .isTrue();
  }

  private static Instant afterNow() {
    Instant after = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    await().until(() -> Instant.now().isAfter(after));
    return after;
  }

  private ReceiptVerification verified(TestCore core, VerifyReceiptRequest.Builder request) {
    return ReceiptServiceGrpc.newBlockingStub(core.owner())
        .verifyReceipt(request.setReceiptId(source.task(task).getReceiptId()).build());
  }

  @Test
  void aTrustAnchorThatIsOldIsNarrowedByWhatIsKnownHere() {
    var unused = Transfer.load(target, file);
    VerifyReceiptRequest.Builder old =
        VerifyReceiptRequest.newBuilder().setTrustAnchor(Transfer.keysOf(source).toStringUtf8());
    assertThat(verified(target, old).getValid()).isTrue();

    compromised(target.operator());
    compromisedAtSource();

    assertThat(verified(target, old).getValid()).isFalse();
    assertThat(verified(source, old).getValid()).as("of its own server").isFalse();
  }

  @Test
  void whatAThirdServerBringsOfACompromisedKeyIsTakenUnverifiedOnly() {
    try (TestCore third = TestCore.start(directory.resolve("third"), TaskOptions.DEFAULT)) {
      var unused = Transfer.load(third, file);
      byte[] carried = Transfer.tenant(third);
      compromised(source.operator(), afterNow());
      ByteString keys = keysOf(third, source);

      assertThatThrownBy(
              () -> Transfer.loadWithoutKeys(target, carried, Transfer.into("one").setKeys(keys)))
          .hasMessageContaining("others may have made them");
      ImportSummary taken =
          Transfer.loadWithoutKeys(
              target, carried, Transfer.into("one").setKeys(keys).setUnverified(true));
      assertThat(taken.getFaultCount()).isOne();
    }
  }

  @Test
  void aKeyCountsForNoLongerThanTheOperatorSaysWhateverWasConfirmed() {
    var unused = Transfer.load(target, file);
    VerificationKey key = KeySet.parse(RewrittenFile.keys(file).toByteArray()).keys().get(0);
    KeySet ended =
        KeySet.of(
            List.of(VerificationKey.of(key.publicKey(), KeyValidity.between(0, 1_000_000_000))));
    byte[] later = Transfer.tenant(source);

    assertThatThrownBy(
            () ->
                Transfer.loadWithoutKeys(
                    target,
                    later,
                    Transfer.into("default").setKeys(ByteString.copyFrom(ended.toJson()))))
        .hasMessageContaining("expired");
  }

  private ListSigningKeysResponse listed() {
    return admin(target.operator()).listSigningKeys(ListSigningKeysRequest.getDefaultInstance());
  }

  private static OAuthAdminServiceBlockingStub admin(Channel operator) {
    return OAuthAdminServiceGrpc.newBlockingStub(operator);
  }

  private String keyOfSource() {
    return KeySet.parse(RewrittenFile.keys(file).toByteArray()).keys().get(0).id();
  }
}

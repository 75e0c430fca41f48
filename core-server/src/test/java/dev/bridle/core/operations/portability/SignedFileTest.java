package dev.bridle.core.operations.portability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.ExportRequest;
import dev.bridle.admin.v1.ImportBegin;
import dev.bridle.admin.v1.ImportSummary;
import dev.bridle.admin.v1.ListSigningKeysRequest;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.RevokeSigningKeyRequest;
import dev.bridle.admin.v1.TrustReceiptKeyRequest;
import dev.bridle.api.v1.ErrorDetail;
import dev.bridle.core.kernel.error.ErrorMapper;
import dev.bridle.core.operations.portability.file.Block;
import dev.bridle.core.operations.portability.file.FileCheck;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.KeySet;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ReceiptKeyRecord;
import dev.bridle.session.v1.Session;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A file is what a server has exported if that has signed all of it, and else nothing shows it. */
class SignedFileTest extends ExportedTask {
  private static final ExportEntry LEFT_OUT = ExportEntry.getDefaultInstance();

  private String verdictOf(byte[] file) {
    return verdictOf(file, Transfer.into("default"));
  }

  private String verdictOf(byte[] one, ImportBegin.Builder begin) {
    try {
      begin.setKeys(RewrittenFile.keys(file));
      var unused = Transfer.loadWithoutKeys(target, one, begin);
      return "valid";
    } catch (RuntimeException refused) {
      try {
        byte[] detail = Status.trailersFromThrowable(refused).get(ErrorMapper.DETAIL);
        return StrictJson.parse(ErrorDetail.parseFrom(detail).getDetails().toByteArray())
            .path("verdict")
            .asText();
      } catch (Exception e) {
        throw new AssertionError(refused);
      }
    }
  }

  private byte[] signedOtherwise(UnaryOperator<ObjectNode> change) {
    try {
      ObjectNode signed = (ObjectNode) StrictJson.parse(Transfer.read(file).signed().orElseThrow());
      return RewrittenFile.sealedAs(
          file, Optional.of(change.apply(signed).toString().getBytes(UTF_8)));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theSummarySaysWhoHasSignedIt() {
    ImportSummary loaded = Transfer.load(target, file);

    assertThat(loaded.getSignedByKeyId()).isEqualTo(keyOfSource());
    assertThat(Instant.parse(loaded.getSignedAt())).isBefore(Instant.now().plusSeconds(1));
  }

  private String keyOfSource() {
    return KeySet.parse(RewrittenFile.keys(file).toByteArray()).keys().get(0).id();
  }

  /** What nobody signs but the server that sends the whole. */
  private Map<String, Function<ExportEntry, List<ExportEntry>>> changes() {
    return Map.of(
        "a session is moved",
        entry ->
            RewrittenFile.isOf(entry, SessionStore.SESSION)
                ? List.of(
                    RewrittenFile.withRecord(
                        entry,
                        RewrittenFile.parse(Session.parser(), entry.getRecord().getRecord())
                            .toBuilder()
                            .setWorkspaceId("another")
                            .build()
                            .toByteString()))
                : List.of(entry),
        "events lose their payload",
        entry ->
            List.of(
                entry.hasEvent()
                    ? RewrittenFile.withEvent(
                        entry,
                        event ->
                            event.getTaskId().isEmpty()
                                ? event.toBuilder().clearPayload().clearSalt().build()
                                : event)
                    : entry),
        "a floor drops events",
        entry ->
            entry.hasStream()
                ? List.of(
                    entry.toBuilder()
                        .setStream(
                            entry.getStream().toBuilder()
                                .setFloor(entry.getStream().getLastEventId()))
                        .build())
                : List.of(entry),
        "a record comes twice",
        entry ->
            RewrittenFile.isOf(entry, ArtifactStore.ARTIFACT)
                ? List.of(entry, context(entry))
                : List.of(entry),
        "the artifacts are left out",
        entry ->
            RewrittenFile.isOf(entry, ArtifactStore.ARTIFACT) ? List.of(LEFT_OUT) : List.of(entry),
        "a key is compromised",
        entry ->
            List.of(
                RewrittenFile.isKey(entry)
                    ? RewrittenFile.withRecord(
                        entry,
                        RewrittenFile.parse(
                                ReceiptKeyRecord.parser(), entry.getRecord().getRecord())
                            .toBuilder()
                            .setCompromisedSince(1)
                            .setDeclaredAt(1)
                            .build()
                            .toByteString())
                    : entry),
        "the artifacts come last",
        new Function<>() {
          private final List<ExportEntry> held = new ArrayList<>();

          @Override
          public List<ExportEntry> apply(ExportEntry entry) {
            if (RewrittenFile.isOf(entry, ArtifactStore.ARTIFACT)) {
              held.add(entry);
              return List.of(LEFT_OUT);
            }
            return RewrittenFile.isOf(entry, SessionStore.SESSION)
                ? Stream.concat(held.stream(), Stream.of(entry)).toList()
                : List.of(entry);
          }
        });
  }

  private static ExportEntry context(ExportEntry entry) {
    return entry.toBuilder().setRecord(entry.getRecord().toBuilder().setContext(true)).build();
  }

  @Test
  void whateverIsChangedIsNotWhatItsServerHasSigned() {
    changes()
        .forEach(
            (name, change) -> {
              byte[] changed = RewrittenFile.each(file, change);
              assertThat(Transfer.read(changed).blocks())
                  .as("%s: it is another file", name)
                  .isNotEqualTo(Transfer.read(file).blocks());

              assertThat(verdictOf(RewrittenFile.signedAs(file, changed)))
                  .as("%s, with the signature of the true file", name)
                  .isEqualTo("invalid");
              assertThat(verdictOf(changed)).as("%s, unsigned", name).isNotEqualTo("valid");
            });
    assertThat(verdictOf(file)).as("nothing was kept").isEqualTo("valid");
  }

  @Test
  void aFileThatNobodyHasSignedIsTakenUnverifiedAndMarked() {
    byte[] unsigned = RewrittenFile.of(file, entry -> entry);

    assertThat(verdictOf(unsigned)).isEqualTo("consistent");
    ImportSummary loaded =
        Transfer.load(target, unsigned, Transfer.into("default").setUnverified(true));

    assertThat(loaded.getSignedByKeyId()).isEmpty();
    assertThat(loaded.getFaultCount()).isZero();
  }

  @Test
  void aSignatureIsNotMovedToAnotherFile() {
    String session = source.task(task).getSessionId();
    byte[] other =
        Transfer.export(source, ExportRequest.newBuilder().setSessionId(session).build());

    assertThat(verdictOf(RewrittenFile.signedAs(other, file))).isEqualTo("invalid");
  }

  @Test
  void aStatementThatItsKeyHasNotSignedIsRefused() {
    assertThat(
            verdictOf(
                signedOtherwise(
                    signed -> {
                      ((ObjectNode) signed.get("statement")).put("at", "2020-01-01T00:00:00Z");
                      return signed;
                    })))
        .isEqualTo("invalid");
    assertThat(verdictOf(signedOtherwise(signed -> signed.put("more", true)))).isEqualTo("invalid");
    assertThat(
            verdictOf(
                signedOtherwise(
                    signed -> {
                      signed.putObject("signature").put("key_id", "a key of nobody");
                      return signed;
                    })))
        .as("of a key that nobody knows nothing can be said")
        .isEqualTo("consistent");
  }

  @Test
  void aFileOfThisInstallationIsSignedByThisInstallation() {
    byte[] own = Transfer.tenant(target);
    String owner = Transfer.read(own).header().installation();

    assertThat(verdictOf(own, Transfer.into("copy"))).isEqualTo("valid");
    byte[] forged =
        signedOtherwise(
            signed -> {
              ((ObjectNode) signed.get("statement")).put("issuer", owner);
              return signed;
            });
    assertThat(verdictOf(forged)).isEqualTo("invalid");
  }

  private void compromised(TestCore core, Instant since) {
    var unused =
        OAuthAdminServiceGrpc.newBlockingStub(core.operator())
            .revokeSigningKey(
                RevokeSigningKeyRequest.newBuilder()
                    .setKeyId(keyOfSource())
                    .setCompromisedSince(Timestamps.fromMillis(since.toEpochMilli()))
                    .build());
  }

  @Test
  void aCompromisedKeyVouchesForNoFile() {
    var unused = Transfer.load(target, file);
    byte[] later = Transfer.tenant(source);
    Instant after = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    await().until(() -> Instant.now().isAfter(after));
    compromised(target, after);

    assertThatThrownBy(() -> Transfer.loadWithoutKeys(target, later, Transfer.into("default")))
        .hasMessageContaining("others may have had the key");

    compromised(target, Instant.now().minusSeconds(3600));

    assertThatThrownBy(() -> Transfer.loadWithoutKeys(target, later, Transfer.into("default")))
        .hasMessageContaining("the signature of the file does not verify");
  }

  @Test
  void anUnverifiedFileComesIntoATenantOfItsOwn() {
    byte[] unsigned = RewrittenFile.of(file, entry -> entry);
    byte[] later = RewrittenFile.each(file, changes().get("a floor drops events"));
    var unused = Transfer.load(target, file);

    assertThatThrownBy(
            () -> Transfer.load(target, later, Transfer.into("default").setUnverified(true)))
        .as("it could add to what is here")
        .hasMessageContaining("imported into a tenant of its own");
    var unusedToo = Transfer.load(target, later, Transfer.into("apart").setUnverified(true));
    assertThatThrownBy(
            () -> Transfer.load(target, unsigned, Transfer.into("apart").setUnverified(true)))
        .hasMessageContaining("imported into a tenant of its own");
    assertThatThrownBy(() -> Transfer.load(target, file, Transfer.into("apart")))
        .as("a file that verifies doesn't come to what nobody vouches for")
        .hasMessageContaining("data of a file that did not verify");
  }

  @Test
  void aFileThatWasImportedUnverifiedIsNotTakenOverOrDoneWithoutSayingSo() {
    byte[] unsigned = RewrittenFile.of(file, entry -> entry);
    var unused = Transfer.load(target, unsigned, Transfer.into("apart").setUnverified(true));

    assertThatThrownBy(() -> Transfer.load(target, unsigned, Transfer.into("apart")))
        .hasMessageContaining("was imported unverified");
    assertThatThrownBy(
            () -> Transfer.load(target, unsigned, Transfer.into("apart").setTakeOver(true)))
        .hasMessageContaining("was imported unverified");
    assertThat(
            Transfer.load(target, unsigned, Transfer.into("apart").setUnverified(true))
                .getAlreadyLoaded())
        .isTrue();
  }

  @Test
  void theTakeOverOfALoadedFileTakesThatFile() {
    var unused = Transfer.load(target, file);
    byte[] other = RewrittenFile.each(file, changes().get("the artifacts are left out"));

    assertThatThrownBy(
            () ->
                Transfer.load(
                    target,
                    other,
                    Transfer.into("default")
                        .setTakeOver(true)
                        .setSha256(ByteString.copyFrom(Transfer.read(file).end()))))
        .hasMessageContaining("does not have the SHA-256 that was given");
  }

  @Test
  void aFileThatIsCutShortAfterItWasCheckedIsNotLoadedAsIfItWereWhole() {
    FileCheck whole = Transfer.read(file);
    long cut = Transfer.read(Arrays.copyOf(file, (int) whole.wholeTo() - 1)).wholeTo();

    assertThatThrownBy(() -> Transfer.loadCut(target, file, (int) cut))
        .hasMessageContaining("it changed while it was imported");
  }

  @Test
  void theTimesOfAKeyAreThoseThatItsOperatorGivesUnlessItsOwnServerSaysThem() {
    byte[] poisoned = RewrittenFile.each(file, changes().get("a key is compromised"));

    var unused =
        Transfer.loadWithoutKeys(
            target,
            poisoned,
            Transfer.into("apart").setUnverified(true).setKeys(RewrittenFile.keys(file)));

    assertThat(compromises(target)).containsOnly(0L);
  }

  private static List<Long> compromises(TestCore core) {
    return OAuthAdminServiceGrpc.newBlockingStub(core.operator())
        .listSigningKeys(ListSigningKeysRequest.getDefaultInstance())
        .getImportedKeysList()
        .stream()
        .map(key -> key.getCompromisedSince().getSeconds())
        .toList();
  }

  @Test
  void nothingIsSignedOfATenantWithDataThatNobodyVouchesFor() {
    byte[] forged = RewrittenFile.each(file, changes().get("a floor drops events"));
    var unused = Transfer.load(target, forged, Transfer.into("apart").setUnverified(true));

    byte[] laundered =
        Transfer.export(target, ExportRequest.newBuilder().setTenantId("apart").build());

    assertThat(Transfer.read(laundered).signed()).isEmpty();
    assertThat(verdictOf(laundered)).isNotEqualTo("valid");
    assertThat(Transfer.read(Transfer.tenant(target)).signed()).as("other tenants").isPresent();
  }

  @Test
  void aTenantThatIsMadeLaterTrustsACompromisedKeyNoMore() {
    var unused = Transfer.load(target, file);
    byte[] later = Transfer.tenant(source);
    compromised(target, Instant.now().minusSeconds(3600));

    assertThat(verdictOf(later, Transfer.into("fresh"))).isEqualTo("invalid");
  }

  @Test
  void anUnverifiedImportAndAVerifiedOneOfOneTenantAreNeverBothBegun() {
    byte[] forged = RewrittenFile.each(file, changes().get("a floor drops events"));

    List<String> ends =
        Stream.of(
                CompletableFuture.supplyAsync(
                    () -> ended(forged, Transfer.into("shared").setUnverified(true))),
                CompletableFuture.supplyAsync(() -> ended(file, Transfer.into("shared"))))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();

    assertThat(ends).containsOnlyOnce("done");
  }

  private String ended(byte[] one, ImportBegin.Builder begin) {
    try {
      var unused = Transfer.load(target, one, begin);
      return "done";
    } catch (RuntimeException refused) {
      return refused.getMessage();
    }
  }

  @Test
  void aFileOfManySmallBlocksIsRefusedBeforeItFillsTheMemory() {
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    many.writeBytes(Arrays.copyOf(file, (int) Transfer.read(file).wholeTo()));
    byte[] empty = Block.encode(Block.DATA, new byte[0]);
    for (int i = 0; i < 40_000; i++) {
      many.writeBytes(empty);
    }

    assertThatThrownBy(() -> Transfer.load(target, many.toByteArray()))
        .hasMessageContaining("more blocks than files of its size have");
  }

  @Test
  void aKeyThatIsKnownToBeCompromisedIsSoWhateverKeysAreGiven() {
    var unused = Transfer.load(target, file);
    byte[] later = Transfer.tenant(source);
    compromised(target, Instant.now().minusSeconds(3600));

    assertThat(verdictOf(later)).isEqualTo("invalid");
  }

  @Test
  void aKeyThatIsTrustedLaterIsAsCompromisedAsOtherTenantsKnow() {
    var unused = Transfer.load(target, file);
    compromised(target, Instant.now().minusSeconds(3600));
    byte[] forged = RewrittenFile.each(file, changes().get("a floor drops events"));
    var unusedToo =
        Transfer.loadWithoutKeys(target, forged, Transfer.into("apart").setUnverified(true));
    assertThat(compromises(target)).contains(0L);

    var unusedTrust =
        OAuthAdminServiceGrpc.newBlockingStub(target.operator())
            .trustReceiptKey(TrustReceiptKeyRequest.newBuilder().setKeyId(keyOfSource()).build());

    assertThat(compromises(target)).hasSize(2).doesNotContain(0L);
  }

  @Test
  void nothingIsStoredOfTheKeysOfThisInstallation() {
    var unused = Transfer.load(target, Transfer.tenant(target), Transfer.into("copy"));

    assertThat(compromises(target)).isEmpty();
  }

  @Test
  void aRecordUnderTheIdOfAnotherIsRefused() {
    byte[] moved =
        RewrittenFile.each(
            file,
            entry ->
                RewrittenFile.isOf(entry, TaskStore.TASK)
                    ? List.of(
                        entry.toBuilder()
                            .setRecord(entry.getRecord().toBuilder().setId("task_other"))
                            .build())
                    : List.of(entry));

    assertThatThrownBy(
            () -> Transfer.load(target, moved, Transfer.into("apart").setUnverified(true)))
        .hasMessageContaining("task_other has the id of another one");
  }

  @Test
  void aFileWithIdsThatCantBeReadIsRefusedBeforeAnythingIsWritten() {
    byte[] broken =
        RewrittenFile.each(
            file,
            entry ->
                List.of(
                    entry.hasStream()
                        ? entry.toBuilder()
                            .setStream(entry.getStream().toBuilder().setLastEventId("none"))
                            .build()
                        : entry));

    assertThatThrownBy(
            () -> Transfer.load(target, broken, Transfer.into("fresh").setUnverified(true)))
        .hasMessageContaining("'none' is no event id");
    assertThat(verdictOf(file, Transfer.into("fresh"))).isEqualTo("valid");
  }
}

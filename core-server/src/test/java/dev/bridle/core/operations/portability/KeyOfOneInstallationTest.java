package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.admin.v1.DeleteTenantRequest;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.RevokeSigningKeyRequest;
import dev.bridle.admin.v1.RotateSigningKeyRequest;
import dev.bridle.admin.v1.TenantServiceGrpc;
import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import dev.bridle.receipt.v1.ReceiptVerification;
import dev.bridle.receipt.v1.VerifyReceiptRequest;
import dev.bridle.storage.KeyValue;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A key is of one installation, and counts for what that one has issued alone. */
class KeyOfOneInstallationTest extends ExportedTask {
  /** A server that has two exports of the same key: as itself, and as another installation. */
  private record Liar(ByteString honest, ByteString forged, String receipt, ByteString keys) {}

  private Liar liar(String pretended) {
    Path folder = directory.resolve("other");
    byte[] honest;
    String key;
    try (TestCore other = TestCore.start(folder, TaskOptions.DEFAULT)) {
      honest = Transfer.tenant(other);
      key = other.key();
    }
    StoppedServer.rename(folder, installationOf(honest), pretended);
    try (TestCore other = TestCore.restart(folder, TaskOptions.DEFAULT, key)) {
      String receipt = receiptOf(other);
      return new Liar(
          ByteString.copyFrom(honest),
          ByteString.copyFrom(Transfer.tenant(other)),
          receipt,
          Transfer.keysOf(other));
    }
  }

  private static String installationOf(byte[] file) {
    return Transfer.read(file).header().installation();
  }

  private static ByteString both(ByteString one, ByteString other) {
    List<VerificationKey> keys = new ArrayList<>(KeySet.parse(one.toByteArray()).keys());
    keys.addAll(KeySet.parse(other.toByteArray()).keys());
    return ByteString.copyFrom(KeySet.of(keys).toJson());
  }

  private void loaded(byte[] file, String tenant, ByteString keys) {
    var unused = Transfer.loadWithoutKeys(target, file, Transfer.into(tenant).setKeys(keys));
  }

  @Test
  void aKeyStaysWithItsInstallationWhenTheTenantIsGoneThatItSignedFor() {
    Liar other = liar(installationOf(file));
    loaded(other.honest().toByteArray(), "others", other.keys());
    var unused =
        TenantServiceGrpc.newBlockingStub(target.operator())
            .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId("others").build());

    assertThatThrownBy(() -> loaded(other.forged().toByteArray(), "fresh", other.keys()))
        .hasMessageContaining("is of another installation than");
  }

  @Test
  void aKeyIsDeclaredCompromisedAlsoWhenTheTenantIsGoneThatItSignedFor() {
    loaded(file, "theirs", RewrittenFile.keys(file));
    var unused =
        TenantServiceGrpc.newBlockingStub(target.operator())
            .deleteTenant(DeleteTenantRequest.newBuilder().setTenantId("theirs").build());
    String key = KeySet.parse(RewrittenFile.keys(file).toByteArray()).keys().get(0).id();
    var unusedToo =
        OAuthAdminServiceGrpc.newBlockingStub(target.operator())
            .revokeSigningKey(
                RevokeSigningKeyRequest.newBuilder()
                    .setKeyId(key)
                    .setCompromisedSince(Timestamps.fromMillis(1000))
                    .build());

    assertThatThrownBy(() -> loaded(file, "fresh", RewrittenFile.keys(file)))
        .hasMessageContaining("does not verify");
  }

  @Test
  void aReceiptOfAnotherInstallationThanItsKeyIsOfIsRefused() {
    Liar other = liar(installationOf(file));
    loaded(other.honest().toByteArray(), "others", other.keys());

    try (TestCore third = TestCore.start(directory.resolve("third"), TaskOptions.DEFAULT)) {
      byte[] carried = through(third, other);
      ByteString keys = both(Transfer.keysOf(third), other.keys());

      assertThatThrownBy(() -> loaded(carried, "fresh", keys))
          .hasMessageContaining("does not verify: the key ")
          .hasMessageContaining("is of another installation than its issuer");
    }
  }

  private static byte[] through(TestCore third, Liar other) {
    var unused =
        Transfer.loadWithoutKeys(
            third, other.forged().toByteArray(), Transfer.into("default").setKeys(other.keys()));
    return Transfer.tenant(third);
  }

  @Test
  void aReceiptIsNotValidOnceItsKeyIsKnownToBeOfAnotherInstallation() {
    Liar other = liar(installationOf(file));
    try (TestCore third = TestCore.start(directory.resolve("third"), TaskOptions.DEFAULT)) {
      loaded(through(third, other), "fresh", both(Transfer.keysOf(third), other.keys()));
    }
    assertThat(verified("fresh", other.receipt(), "").getValid()).isTrue();

    loaded(other.honest().toByteArray(), "others", other.keys());

    assertThat(verified("fresh", other.receipt(), "").getValid()).isFalse();
    assertThat(verified("fresh", other.receipt(), other.keys().toStringUtf8()).getValid())
        .as("with the same keys as trust anchor")
        .isFalse();
  }

  private ReceiptVerification verified(String tenant, String receipt, String anchor) {
    VerifyReceiptRequest.Builder request = VerifyReceiptRequest.newBuilder().setReceiptId(receipt);
    if (!anchor.isEmpty()) {
      request.setTrustAnchor(anchor);
    }
    return ReceiptServiceGrpc.newBlockingStub(
            target.as(target.core().processCredential(tenant, "ada", Set.of("*"))))
        .verifyReceipt(request.build());
  }

  @Test
  void aKeyThatSignsAFileOfItsServerSignsNoReceiptsOfThisOneInIt() {
    Path folder = directory.resolve("other");
    String targets = installationOf(Transfer.tenant(target));
    String own;
    String key;
    try (TestCore other = TestCore.start(folder, TaskOptions.DEFAULT)) {
      own = installationOf(Transfer.tenant(other));
      key = other.key();
    }
    StoppedServer.rename(folder, own, targets);
    try (TestCore other = TestCore.restart(folder, TaskOptions.DEFAULT, key)) {
      var unused = receiptOf(other);
    }
    StoppedServer.rename(folder, targets, own);
    try (TestCore other = TestCore.restart(folder, TaskOptions.DEFAULT, key)) {
      byte[] forged = Transfer.tenant(other);

      assertThat(installationOf(forged)).isEqualTo(own);
      assertThatThrownBy(() -> loaded(forged, "fresh", Transfer.keysOf(other)))
          .hasMessageContaining("has signed for two installations");
    }
  }

  @Test
  void aServerThatWasSetBackTakesItsOwnLaterFileWithTheKeysThatWereKept() {
    Path folder = directory.resolve("back");
    String key;
    try (TestCore back = TestCore.start(folder, TaskOptions.DEFAULT)) {
      key = back.key();
    }
    List<KeyValue> before = StoppedServer.rows(folder);
    byte[] later;
    String receipt;
    ByteString kept;
    try (TestCore back = TestCore.restart(folder, TaskOptions.DEFAULT, key)) {
      var unused =
          OAuthAdminServiceGrpc.newBlockingStub(back.operator())
              .rotateSigningKey(RotateSigningKeyRequest.getDefaultInstance());
      receipt = receiptOf(back);
      later = Transfer.tenant(back);
      kept = Transfer.keysOf(back);
    }
    StoppedServer.setBack(folder, before);
    target.close();
    target = TestCore.restart(folder, TaskOptions.DEFAULT, key);

    assertThatThrownBy(() -> loaded(later, "copy", Transfer.keysOf(target)))
        .hasMessageContaining("this server may have been set back")
        .hasMessageContaining("nothing here confirms");
    loaded(later, "copy", kept);

    assertThat(verified("copy", receipt, "").getValid()).isTrue();
  }

  @Test
  void whatKeysSayOfACompromiseOfThisServersOwnIsDeclaredFirst() {
    VerificationKey own = KeySet.parse(Transfer.keysOf(target).toByteArray()).keys().get(0);
    VerificationKey lost =
        VerificationKey.of(own.publicKey(), own.validity().compromised(2_000_000, 1_000_000));
    ByteString told = ByteString.copyFrom(KeySet.of(List.of(lost)).toJson());

    assertThatThrownBy(() -> loaded(file, "one", both(Transfer.keysOf(source), told)))
        .hasMessageContaining("declare it with 'bridle oauth key revoke " + own.id());
    loaded(file, "one", Transfer.keysOf(source));
  }

  @Test
  void aKeyThatAnotherImportBindsMeanwhileIsRefused() {
    Liar other = liar(installationOf(file));

    assertThatThrownBy(
            () ->
                Transfer.load(
                    target,
                    other.forged().toByteArray(),
                    Transfer.into("fresh"),
                    () -> loaded(other.honest().toByteArray(), "others", other.keys())))
        .hasMessageContaining("is of another installation than");
  }

  @Test
  void aChainThatAFileHasBroughtCoversNoReceiptOfACompromisedKeyOfThisServer() {
    String receipt = receiptOf(target);
    byte[] unsigned = RewrittenFile.of(Transfer.tenant(target), entry -> entry);
    var unused =
        Transfer.loadWithoutKeys(target, unsigned, Transfer.into("copy").setUnverified(true));
    assertThat(verified("copy", receipt, "").getValid()).isTrue();

    Instant after = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    await().until(() -> Instant.now().isAfter(after));
    String key = KeySet.parse(Transfer.keysOf(target).toByteArray()).keys().get(0).id();
    var unusedToo =
        OAuthAdminServiceGrpc.newBlockingStub(target.operator())
            .revokeSigningKey(
                RevokeSigningKeyRequest.newBuilder()
                    .setKeyId(key)
                    .setCompromisedSince(Timestamps.fromMillis(after.toEpochMilli()))
                    .build());

    assertThat(verified("copy", receipt, "").getValid()).isFalse();
    assertThat(verified("default", receipt, "").getValid()).as("it was issued there").isTrue();
  }
}

package dev.bridle.core.kernel.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.server.AccessOptions;
import dev.bridle.core.server.CoreOptions;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.core.server.CoreServer;
import dev.bridle.core.server.StoredData;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealsTest {
  private static final EncryptionContext PLACE =
      EncryptionContext.of("acme", "vault", "v1", "github");
  private static final byte[] SECRET = "a secret of some length".getBytes(UTF_8);

  @TempDir private Path directory;
  private KeyValueStore store;
  private final MasterKey key = MasterKey.make();
  private final Seals seals = with(key);

  @BeforeEach
  void open() {
    store = SuiteStore.open(directory);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void whatIsSealedOpensAtItsPlace() {
    byte[] sealed = seal(seals);

    assertThat(seals.open(PLACE, sealed)).isEqualTo(SECRET);
    assertThat(with(MasterKey.parse(key.toJson())).open(PLACE, sealed)).isEqualTo(SECRET);
    assertThat(sealed).hasSize(SECRET.length + 33);
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("secret");
    assertThat(seal(seals)).as("the same secret, sealed again").isNotEqualTo(sealed);
  }

  @Test
  void whatIsSealedOpensAtNoOtherPlace() {
    byte[] sealed = seal(seals);

    for (EncryptionContext other :
        List.of(
            EncryptionContext.of("other", "vault", "v1", "github"),
            EncryptionContext.of("acme", "vault", "v1", "gitlab"),
            EncryptionContext.of("acme", "vault", "v1github"),
            EncryptionContext.of("acme", "vaultv1", "github"),
            EncryptionContext.ofInstallation("acme", "vault", "v1", "github"))) {
      assertThatThrownBy(() -> seals.open(other, sealed)).isInstanceOf(MasterKeyException.class);
    }
  }

  @Test
  void whatWasChangedDoesNotOpen() {
    byte[] sealed = seal(seals);
    for (int at = 0; at < sealed.length; at++) {
      byte[] changed = sealed.clone();
      changed[at] ^= 1;
      assertThatThrownBy(() -> seals.open(PLACE, changed)).isInstanceOf(MasterKeyException.class);
    }
    assertThatThrownBy(() -> seals.open(PLACE, new byte[0])).isInstanceOf(MasterKeyException.class);
  }

  @Test
  void anotherMasterKeyIsRefusedFromTheFirstStartOn() {
    start(key).close();
    Seals others = with(MasterKey.make());
    assertThatThrownBy(
            () ->
                store.transact(
                    tr -> {
                      others.check(tr);
                      return true;
                    }))
        .isInstanceOf(MasterKeyException.class);
    byte[] sealed = seal(seals);

    assertThatThrownBy(() -> seal(others))
        .isInstanceOf(MasterKeyException.class)
        .hasMessageContaining(Integer.toUnsignedString(key.id()));
    assertThatThrownBy(() -> others.open(PLACE, sealed)).isInstanceOf(MasterKeyException.class);
    assertThatThrownBy(() -> start(MasterKey.make()))
        .isInstanceOf(MasterKeyException.class)
        .hasMessageContaining(Integer.toUnsignedString(key.id()));
    start(key).close();
    assertThat(Seals.usedBy(store)).contains(Integer.toUnsignedString(key.id()));
  }

  @Test
  void twoProcessesWithDifferentKeysCantBothSeal() {
    Seals others = with(MasterKey.make());
    assertThatThrownBy(
            () ->
                store.transact(
                    tr -> {
                      byte[] sealed = others.seal(tr, PLACE, SECRET);
                      if (Seals.usedBy(store).isEmpty()) {
                        seal(seals);
                      }
                      tr.set(new byte[] {1}, sealed);
                      return true;
                    }))
        .isInstanceOf(MasterKeyException.class);
    assertThat(Seals.usedBy(store)).contains(Integer.toUnsignedString(key.id()));
  }

  @Test
  void withoutAMasterKeyNothingIsSealedAndTheCallerIsToldWhatToDo() {
    Seals none = new Seals(new Installation(KeyLayout.root()), Optional.empty());

    assertThatThrownBy(() -> seal(none))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("--master-key-file");
    assertThat(Seals.usedBy(store)).isEmpty();
  }

  @Test
  void noKeyIsShownByWhatHoldsIt() {
    String json = key.toJson();
    String material = json.substring(json.indexOf("\"value\":\"") + 9).split("\"", 2)[0];

    assertThat(material).hasSizeGreaterThan(20);
    assertThat(CoreOptions.DEFAULT.withAccess(AccessOptions.NONE.withMasterKey(key)).toString())
        .contains("MasterKey[" + Integer.toUnsignedString(key.id()) + "]")
        .doesNotContain(material);
    String torn = "{\"key\":[" + json;
    assertThatThrownBy(() -> MasterKey.parse(torn))
        .isInstanceOf(MasterKeyException.class)
        .hasNoCause()
        .message()
        .doesNotContain(material);
  }

  @Test
  void theCheckerKnowsWhatSealingLeavesAndSeesItDamaged() {
    start(key).close();
    seal(seals);
    StoredData.assertSound(store);

    Installation installation = new Installation(KeyLayout.root());
    store.transact(
        tr -> {
          installation.putMasterKey(tr, new byte[] {(byte) 0xff});
          return true;
        });
    assertThat(
            new StorageChecker(store, KeyLayout.root(), CoreRecords.CATALOG)
                .check(CheckProgress.SILENT)
                .findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.subject()).isEqualTo("master-key"));
  }

  private CoreServer start(MasterKey held) {
    return CoreServer.start(
        store,
        CoreOptions.DEFAULT
            .withListener("127.0.0.1", 0)
            .withAccess(AccessOptions.NONE.withMasterKey(held)));
  }

  private byte[] seal(Seals by) {
    return store.transact(tr -> by.seal(tr, PLACE, SECRET));
  }

  private static Seals with(MasterKey held) {
    return new Seals(new Installation(KeyLayout.root()), Optional.of(held));
  }
}

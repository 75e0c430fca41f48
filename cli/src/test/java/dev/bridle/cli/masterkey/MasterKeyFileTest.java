package dev.bridle.cli.masterkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.process.Commands;
import dev.bridle.core.kernel.seal.EncryptionContext;
import dev.bridle.core.kernel.seal.MasterKey;
import dev.bridle.core.kernel.seal.Seals;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MasterKeyFileTest {
  @TempDir private Path directory;
  private Path dataDir;
  private KeyValueStore store;

  @BeforeEach
  void open() throws IOException {
    dataDir = Files.createDirectory(directory.resolve("data"));
    store = SuiteStore.open(directory.resolve("store"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aDataDirectoryGetsAKeyAtItsFirstStartAndKeepsIt() throws IOException {
    MasterKey first = MasterKeyFile.open(Optional.empty(), dataDir, false, store).orElseThrow();
    MasterKey again = MasterKeyFile.open(Optional.empty(), dataDir, false, store).orElseThrow();

    assertThat(again.toJson()).isEqualTo(first.toJson());
    assertThat(Files.getPosixFilePermissions(dataDir.resolve("master.key")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(MasterKeyFile.beside(dataDir)).isPresent();
  }

  @Test
  void aLostKeyOfSealedStorageIsNotReplacedByANewOne() throws IOException {
    MasterKey key = MasterKeyFile.open(Optional.empty(), dataDir, false, store).orElseThrow();
    Files.delete(dataDir.resolve("master.key"));
    assertThat(MasterKeyFile.open(Optional.empty(), dataDir, false, store))
        .as("while nothing is sealed")
        .isPresent();
    seal(key);
    Files.delete(dataDir.resolve("master.key"));

    assertThatThrownBy(() -> MasterKeyFile.open(Optional.empty(), dataDir, false, store))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining(Integer.toUnsignedString(key.id()))
        .hasMessageContaining("--master-key-file");
    assertThat(dataDir.resolve("master.key")).doesNotExist();
  }

  @Test
  void aClusterHasNoKeyButTheOneThatIsGiven() throws IOException {
    assertThat(MasterKeyFile.open(Optional.empty(), dataDir, true, store)).isEmpty();
    assertThat(dataDir.resolve("master.key")).doesNotExist();

    Path file = directory.resolve("given.key");
    String id = Commands.run(0, "master-key", "create", file.toString()).out().strip();
    assertThat(MasterKeyFile.open(Optional.of(file), dataDir, true, store))
        .hasValueSatisfying(key -> assertThat(Integer.toUnsignedString(key.id())).isEqualTo(id));
    assertThat(Commands.run(2, "master-key", "create", file.toString()).err())
        .contains("already exists");
    assertThat(Commands.run(2, "up", "--storage", "fdb", "--cluster-file", "fdb.cluster").err())
        .contains("--master-key-file");
  }

  @Test
  void aFileThatIsNoKeysetIsRefusedWithoutShowingWhatIsInIt() throws IOException {
    Path file = Files.writeString(directory.resolve("bad.key"), "{\"hidden\":1}");

    assertThatThrownBy(() -> MasterKeyFile.open(Optional.of(file), dataDir, false, store))
        .isInstanceOf(CommandFailed.class)
        .message()
        .contains(file.toString())
        .doesNotContain("hidden");
  }

  private void seal(MasterKey key) {
    Seals seals = new Seals(new Installation(KeyLayout.root()), Optional.of(key));
    store.transact(tr -> seals.seal(tr, EncryptionContext.of("t", "name"), new byte[3]));
  }
}

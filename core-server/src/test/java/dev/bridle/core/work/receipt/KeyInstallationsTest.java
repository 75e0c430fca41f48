package dev.bridle.core.work.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.kit.SuiteStore;
import dev.bridle.storage.layer.Installation;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a key is. */
class KeyInstallationsTest {
  @TempDir private Path directory;

  @Test
  void aKeyStaysWithTheInstallationThatItHasSignedForFirst() {
    KeyLayout layout = KeyLayout.root();
    Installation installation = new Installation(layout);
    try (KeyValueStore store = SuiteStore.open(directory)) {
      assertThat(bound(store, "one")).isTrue();
      assertThat(bound(store, "one")).isTrue();
      assertThat(bound(store, "other")).isFalse();

      KeyInstallations read = KeyInstallations.in(store, layout, installation);
      assertThat(read.maySignFor("key", "one")).isTrue();
      assertThat(read.maySignFor("key", "other")).isFalse();
      assertThat(read.maySignFor("another key", "other")).isTrue();
    }
  }

  private static boolean bound(KeyValueStore store, String to) {
    return store.transact(
        tr -> KeyInstallations.bind(tr, new Installation(KeyLayout.root()), "key", to));
  }
}

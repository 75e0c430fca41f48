package dev.bridle.cli.admin;

import dev.bridle.storage.KeyRange;
import dev.bridle.storage.embedded.EmbeddedOptions;
import dev.bridle.storage.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/** Everything that a stopped data directory holds, to see whether a command changes any of it. */
final class AllRows {
  private static final KeyRange ALL = new KeyRange(new byte[0], new byte[] {(byte) 0xFF});
  private static final int MORE_THAN_THERE_ARE = 100_000;

  private AllRows() {}

  static List<String> of(Path dataDir) {
    HexFormat hex = HexFormat.of();
    try (EmbeddedStore store = EmbeddedStore.open(dataDir, EmbeddedOptions.DEFAULT)) {
      return store.read(tr -> tr.getRange(ALL, MORE_THAN_THERE_ARE)).stream()
          .map(row -> hex.formatHex(row.key()) + "=" + hex.formatHex(row.value()))
          .toList();
    }
  }
}

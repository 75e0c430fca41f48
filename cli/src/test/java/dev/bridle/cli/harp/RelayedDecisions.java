package dev.bridle.cli.harp;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A relay with an enforcer and a device, for the tests of a class. */
abstract class RelayedDecisions {
  @TempDir private static Path directory;
  private static RelayEnds ends;

  @BeforeAll
  static void start() throws IOException {
    ends = RelayEnds.start(directory);
  }

  @AfterAll
  static void stop() {
    ends.close();
  }

  static RelayEnds ends() {
    return ends;
  }
}

package dev.bridle.core.operations.portability;

import dev.bridle.core.server.TestCore;
import dev.bridle.core.work.task.TaskOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A core that has used everything, and another one that imports from it. */
abstract class TwoCores {
  @TempDir Path directory;
  TestCore source;
  TestCore target;
  World world;

  @BeforeEach
  void start() {
    source = TestCore.start(directory.resolve("source"), TaskOptions.DEFAULT);
    target = TestCore.start(directory.resolve("target"), TaskOptions.DEFAULT);
    world = World.in(source);
  }

  @AfterEach
  void stop() {
    source.close();
    target.close();
  }
}

package dev.bridle.core.server;

import dev.bridle.core.work.task.TaskOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real core for each test. */
public abstract class WithCore {
  @TempDir protected Path directory;
  protected TestCore core;

  @BeforeEach
  protected final void startCore() {
    core = start();
  }

  /** Starts the core on the empty folder of the test. */
  protected TestCore start() {
    return TestCore.start(directory, options());
  }

  /** Returns the options of its tasks. */
  protected TaskOptions options() {
    return TaskOptions.DEFAULT;
  }

  @AfterEach
  protected final void stopCore() {
    core.close();
  }
}

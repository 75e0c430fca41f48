package dev.bridle.storage.kit;

import dev.bridle.storage.kit.fault.RandomPlan;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * Runs tests on the engine that keeps its data in a directory, whatever others run on: they look at
 * backups or files. On a cluster and under random faults they are skipped.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnDisk.Selection.class)
public @interface OnDisk {
  /** Selects the engine while a test runs. */
  final class Selection implements BeforeEachCallback, AfterEachCallback {
    private Optional<String> before = Optional.empty();

    @Override
    public void beforeEach(ExtensionContext context) {
      if (SuiteStore.clusterFile().isPresent() || System.getProperty(RandomPlan.SEED) != null) {
        throw new TestAbortedException("skipped: backups are the embedded engine's own");
      }
      before = Optional.ofNullable(System.setProperty(SuiteStore.ENGINE, "disk"));
    }

    @Override
    public void afterEach(ExtensionContext context) {
      before.ifPresentOrElse(
          engine -> System.setProperty(SuiteStore.ENGINE, engine),
          () -> System.clearProperty(SuiteStore.ENGINE));
    }
  }
}

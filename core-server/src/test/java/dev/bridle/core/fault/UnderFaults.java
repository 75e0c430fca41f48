package dev.bridle.core.fault;

import dev.bridle.storage.kit.fault.RandomPlan;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs the tests of a class on stores that fail at random, unless a seed is given already. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({UnderFaults.Seeded.class, QuietLog.class})
public @interface UnderFaults {
  /** Where all chance comes from. */
  long seed();

  /** Names the seed while a test runs. */
  final class Seeded implements BeforeEachCallback, AfterEachCallback {
    private boolean named;

    @Override
    public void beforeEach(ExtensionContext context) {
      if (System.getProperty(RandomPlan.SEED) == null) {
        long seed = context.getRequiredTestClass().getAnnotation(UnderFaults.class).seed();
        System.setProperty(RandomPlan.SEED, Long.toString(seed));
        named = true;
      }
    }

    @Override
    public void afterEach(ExtensionContext context) {
      if (named) {
        System.clearProperty(RandomPlan.SEED);
        named = false;
      }
    }
  }
}

package dev.bridle.storage.kit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Gives conditions that tests wait for a minute where they name no time of their own: Awaitility's
 * ten seconds are short on a machine that is ten times slower. A condition that holds is not waited
 * for any longer.
 */
public final class PatientWaits implements LauncherSessionListener {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Made by JUnit. */
  public PatientWaits() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}

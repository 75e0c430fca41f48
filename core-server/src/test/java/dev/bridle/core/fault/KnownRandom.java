package dev.bridle.core.fault;

import java.security.SecureRandom;
import java.util.Random;

/** Makes keys that are the same in each run, so that events are, too. */
final class KnownRandom extends SecureRandom {
  private static final long serialVersionUID = 1;
  private final Random random;

  KnownRandom(long seed) {
    this.random = new Random(seed);
  }

  @Override
  public void nextBytes(byte[] bytes) {
    if (random != null) { // The constructor above this one calls it.
      random.nextBytes(bytes);
    }
  }
}

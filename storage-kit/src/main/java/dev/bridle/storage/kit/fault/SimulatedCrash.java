package dev.bridle.storage.kit.fault;

/**
 * What every operation of a {@link FaultyStore} ends in once its process is said to be gone. It is
 * no {@code StoreException}: nothing may handle it as a failure of the store and go on.
 */
public final class SimulatedCrash extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SimulatedCrash() {
    super("the process is gone, a test says", null, false, false);
  }
}

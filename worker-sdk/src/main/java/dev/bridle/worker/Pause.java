package dev.bridle.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits for people: parks the handler's thread while it may stay, and suspends it otherwise. */
final class Pause {
  // The core frees a parked lease itself; this only ends the thread if that never reaches us.
  private static final Duration SLACK = Duration.ofSeconds(2);

  private final LeaseHold hold;
  private final Runnable slotFreed;

  Pause(LeaseHold hold, Runnable slotFreed) {
    this.hold = hold;
    this.slotFreed = slotFreed;
  }

  /**
   * Returns what a call to the core answers, now or once people have answered.
   *
   * @param stay how long the thread stays
   * @param call asks the core; empty while nobody has answered
   * @throws TaskSuspended where the handler has to end
   */
  <T> T until(Duration stay, Supplier<Optional<T>> call) {
    Optional<T> answer = call.get();
    boolean stays = !stay.isZero();
    while (answer.isEmpty() && stays) {
      slotFreed.run();
      stays = hold.park(stay.plus(SLACK));
      if (stays) {
        answer = call.get(); // Empty where it now waits for somebody else.
      }
    }
    if (answer.isEmpty()) {
      hold.stop(LeaseHold.Stop.RELEASED);
      throw new TaskSuspended();
    }
    return answer.get();
  }
}

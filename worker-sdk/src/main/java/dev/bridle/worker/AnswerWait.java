package dev.bridle.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Waits for an answer: parks the handler's thread for its hold time, and suspends the handler
 * otherwise.
 */
final class AnswerWait {
  // The core frees a parked lease itself; this ends the thread if that message is lost.
  private static final Duration SLACK = Duration.ofSeconds(2);

  private final LeaseHold hold;
  private final Runnable slotFreed;

  AnswerWait(LeaseHold hold, Runnable slotFreed) {
    this.hold = hold;
    this.slotFreed = slotFreed;
  }

  /**
   * Returns the response of a call to the core, now or after an answer has arrived.
   *
   * @param stay how long the thread waits
   * @param call calls the core; returns empty while there is no answer
   * @throws TaskSuspended if the handler must end
   */
  <T> T until(Duration stay, Supplier<Optional<T>> call) {
    Optional<T> answer = call.get();
    boolean stays = !stay.isZero();
    while (answer.isEmpty() && stays) {
      slotFreed.run();
      stays = hold.park(stay.plus(SLACK));
      if (stays) {
        answer = call.get(); // Empty if it now waits for another answer.
      }
    }
    if (answer.isEmpty()) {
      hold.stop(Stop.RELEASED);
      throw new TaskSuspended();
    }
    return answer.get();
  }
}

package dev.bridle.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ExitCodes;
import java.util.List;

/**
 * What was done with the tasks of a session.
 *
 * @param replayed how many tasks replayed
 * @param broken how many did not
 * @param live how many had not ended, and were left out
 * @param replays how many are replays, and were left out
 */
record ReplayedCount(int replayed, int broken, int live, int replays) {
  /** Exit codes from the best to the worst. */
  private static final List<Integer> WORSE =
      List.of(
          ExitCodes.DONE,
          ExitCodes.RECEIPT_NOT_COMPLETE,
          ExitCodes.TASK_NOT_COMPLETED,
          ExitCodes.RECEIPT_NOT_VALID);

  /** Returns what the event {@code session.replayed} says. */
  static ReplayedCount of(JsonNode payload) {
    return new ReplayedCount(
        payload.path("replayed").asInt(),
        payload.path("not_replayed").asInt(),
        payload.path("not_ended").asInt(),
        payload.path("replays_left_out").asInt());
  }

  /** Returns the worse of two exit codes. */
  static int worse(int one, int other) {
    return WORSE.indexOf(other) > WORSE.indexOf(one) ? other : one;
  }
}

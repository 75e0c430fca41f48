package dev.bridle.worker;

import dev.bridle.worker.v1.CheckRecordedValuesRequest;
import dev.bridle.worker.v1.CheckRecordedValuesResponse;
import dev.bridle.worker.v1.WrongRecordedValue;
import java.util.Optional;

/** Has the core hold the recorded values of a replayed task against their commitments. */
final class ValueChecks {
  private ValueChecks() {}

  /** Returns the first value that is wrong, by the keys of the steps; empty if none is. */
  static Optional<WrongValue> firstWrong(LeaseHold hold, CoreCalls core, String sourceTask) {
    CheckRecordedValuesRequest.Builder request =
        CheckRecordedValuesRequest.newBuilder()
            .setTaskId(hold.taskId())
            .setSourceTaskId(sourceTask);
    CheckRecordedValuesResponse page;
    do {
      page =
          core.call(hold, stub -> stub.checkRecordedValues(request.setFence(hold.fence()).build()));
      if (page.getWrongCount() > 0) {
        return Optional.of(of(page.getWrong(0)));
      }
      request.setAfterStepKey(page.getLastStepKey());
    } while (page.getHasMore() && !page.getLastStepKey().isEmpty());
    return Optional.empty();
  }

  private static WrongValue of(WrongRecordedValue wrong) {
    return new WrongValue(
        wrong.getStepKey(), wrong.getSequence(), wrong.getCommitted(), wrong.getFound());
  }
}

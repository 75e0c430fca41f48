package dev.bridle.storage.kit.fault;

import java.time.Duration;

/**
 * Another plan, until the process is gone.
 *
 * @param operations how many operations come before the crash
 * @param before what goes wrong until then
 */
public record CrashAfter(long operations, FaultPlan before) implements FaultPlan {
  @Override
  public Fault at(Operation operation) {
    return operation.number() >= operations ? Fault.CRASH : before.at(operation);
  }

  @Override
  public Duration delay(Operation operation) {
    return before.delay(operation);
  }

  @Override
  public int lateBy(Operation operation) {
    return before.lateBy(operation);
  }
}

package dev.bridle.core.permission;

import dev.bridle.core.task.TaskChange;
import dev.bridle.worker.v1.RequestPermissionRequest;
import dev.bridle.worker.v1.RequestPermissionResponse;
import java.util.Optional;

/**
 * What may answer a worker that asks for a permission before anybody else does: before approvals,
 * standing grants and people. Asked once for each step key and lease, in the transaction that
 * answers; what it decides it also tells, as events of the change that it is given.
 */
public interface AskingPolicy {
  /** Leaves every question to approvals, grants and people. */
  AskingPolicy ASK = (change, request) -> Optional.empty();

  /** Returns the answer; empty where the question is to be asked. */
  Optional<RequestPermissionResponse> decide(TaskChange change, RequestPermissionRequest request);
}

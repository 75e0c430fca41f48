package dev.bridle.core.work.permission;

import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.Optional;

/**
 * What may answer a worker that asks for a permission before anybody else does: before approvals,
 * standing grants and people. Asked once for each step key and lease, in the transaction that
 * answers.
 */
public interface AskingPolicy {
  /**
   * An answer.
   *
   * @param verdict whether the action may be done
   * @param reason why
   * @param told the event that tells it
   */
  record Ruling(PermissionVerdict verdict, String reason, EventDraft told) {}

  /** Returns the answer; empty where the question is to be asked. */
  Optional<Ruling> decide(
      TaskChange change, RequestPermissionRequest request, PermissionAction action);
}

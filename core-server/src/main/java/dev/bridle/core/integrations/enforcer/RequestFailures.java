package dev.bridle.core.integrations.enforcer;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.HarpRequestRecord;
import dev.bridle.record.v1.HarpRequestState;
import dev.bridle.storage.StoreException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a request whose relay could not be called, or has refused: it is tried again
 * later, ever more rarely, until its question ends, and the task's events say what keeps it.
 */
final class RequestFailures {
  private static final Logger log = LoggerFactory.getLogger(RequestFailures.class);

  /** For what passes by itself: a device should be asked soon after its relay is back. */
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  /** For what somebody has to repair. */
  private static final Duration FIRST_REPAIR = Duration.ofSeconds(15);

  private static final Duration LONGEST_REPAIR = Duration.ofMinutes(5);
  private static final int MOST_DOUBLINGS = 10;

  /** A relay that is started again is not worth an event; one that stays away is. */
  private static final int FAILURES_OF_AN_EVENT = 5;

  private final HarpRequestStore store;
  private final RequestChanges changes;
  private final TaskStores stores;

  RequestFailures(HarpRequestStore store, RequestChanges changes, TaskStores stores) {
    this.store = store;
    this.changes = changes;
    this.stores = stores;
  }

  /** Stores that an attempt has failed, and when the next one is due. */
  void failed(String tenant, String requestId, String relay, RuntimeException failure) {
    String what = "The request " + requestId + " for a decision could not be advanced; later.";
    if (failure instanceof RelayRefusal) {
      log.warn("{} ({})", what, failure.getMessage());
    } else {
      FailureLog.warn(log, what, failure);
    }
    try {
      changes.change(tenant, requestId, (write, record) -> postpone(write, record, relay, failure));
    } catch (StoreException e) {
      FailureLog.warn(log, "A request for a decision stays due.", e);
    }
  }

  private void postpone(
      Write write, HarpRequestRecord record, String relay, RuntimeException failure) {
    boolean open = HarpRequests.isOpen(record);
    if (!open && !record.getWithdrawalOwed()) {
      return; // It is kept as long as it would be otherwise.
    }
    HarpRequestRecord.Builder after = record.toBuilder().setFailures(record.getFailures() + 1);
    if (!open && record.getExpiresAt() <= write.nowMillis()) {
      // Its time is over at the relay too: there is nothing left to take back.
      after.setWithdrawalOwed(false).setDueAt(HarpRequests.removedAt(record, write.nowMillis()));
    } else {
      after.setDueAt(write.nowMillis() + pause(record, after.getFailures(), failure).toMillis());
    }
    if (open && failure instanceof RelayRefusal refusal) {
      if (refusal.outlook() == RelayRefusal.Outlook.FORGOTTEN && !record.getResubmitted()) {
        after.setState(HarpRequestState.HARP_REQUEST_STATE_CREATED).setResubmitted(true);
      }
      report(write, record, after, relay, refusal);
    }
    store.update(write, record, after.build());
  }

  private static Duration pause(HarpRequestRecord record, int failures, RuntimeException failure) {
    boolean repaired = failure instanceof RelayRefusal refusal && !passes(refusal, record);
    Duration first = repaired ? FIRST_REPAIR : FIRST_RETRY;
    Duration longest = repaired ? LONGEST_REPAIR : LONGEST_RETRY;
    Duration pause = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    return pause.compareTo(longest) < 0 ? pause : longest;
  }

  /** A relay that loses a request a second time is in need of repair. */
  private static boolean passes(RelayRefusal refusal, HarpRequestRecord record) {
    return refusal.outlook() == RelayRefusal.Outlook.PASSING
        || (refusal.outlook() == RelayRefusal.Outlook.FORGOTTEN && !record.getResubmitted());
  }

  /** Says in the task's events, once, what keeps an open request from its device. */
  private void report(
      Write write,
      HarpRequestRecord record,
      HarpRequestRecord.Builder after,
      String relay,
      RelayRefusal refusal) {
    boolean due = !passes(refusal, record) || after.getFailures() >= FAILURES_OF_AN_EVENT;
    if (!due || record.getUndelivered().equals(refusal.getMessage())) {
      return;
    }
    after.setUndelivered(refusal.getMessage());
    boolean untaken = record.getState() == HarpRequestState.HARP_REQUEST_STATE_CREATED;
    if (untaken && refusal.outlook() == RelayRefusal.Outlook.FINAL) {
      after
          .setState(HarpRequestState.HARP_REQUEST_STATE_WITHDRAWN)
          .setReason(refusal.getMessage())
          .setDueAt(HarpRequests.removedAt(record, write.nowMillis()));
    }
    stores
        .tasks()
        .find(write.tr(), write.tenant(), record.getTaskId())
        .ifPresent(
            task -> {
              TaskChange change = stores.change(write, task);
              change.emit(undelivered(record, relay, refusal));
              change.save();
            });
  }

  private static EventDraft undelivered(
      HarpRequestRecord record, String relay, RelayRefusal refusal) {
    return EventDraft.of(
        EventKinds.DECISION_UNDELIVERED,
        Payload.of()
            .text("permission_request_id", record.getPermissionRequestId())
            .text("request_id", record.getRequestId())
            .text("approval_device_id", record.getApprovalDeviceId())
            .text("relay", relay)
            .text("code", refusal.code().spelled())
            .text("reason", refusal.getMessage()));
  }
}

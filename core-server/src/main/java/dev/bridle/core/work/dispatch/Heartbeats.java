package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.work.task.TaskInbox;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.worker.v1.HeartbeatRequest;
import dev.bridle.worker.v1.HeartbeatResponse;
import dev.bridle.worker.v1.HeldLease;
import dev.bridle.worker.v1.LeaseState;
import dev.bridle.worker.v1.LeaseStatus;
import java.util.Optional;

/** Renews leases. Counting a heartbeat twice is harmless, so it needs no command id. */
final class Heartbeats {
  private final Commands commands;
  private final TaskStores stores;

  Heartbeats(Commands commands, TaskStores stores) {
    this.commands = commands;
    this.stores = stores;
  }

  HeartbeatResponse renew(Caller caller, HeartbeatRequest request) {
    return commands.fenced(
        FencedWrite.HEARTBEAT,
        caller.tenant(),
        caller.actor(),
        write -> {
          HeartbeatResponse.Builder response = HeartbeatResponse.newBuilder();
          for (HeldLease held : request.getLeasesList()) {
            LeaseStatus.Builder status =
                LeaseStatus.newBuilder()
                    .setTaskId(held.getTaskId())
                    .setState(LeaseState.LEASE_STATE_FREE);
            Optional<TaskRecord> found =
                stores
                    .tasks()
                    .find(write.tr().snapshot(), write.tenant(), held.getTaskId())
                    .filter(record -> caller.reaches(record.getTask().getWorkspaceId()))
                    .filter(record -> Fences.heldOrParked(record, caller.actor(), held.getFence()));
            if (found.isPresent()) {
              stores
                  .renewals()
                  .renew(write.tr(), write.tenant(), held.getTaskId(), held.getFence());
              status
                  .setState(found.get().getLease().getState())
                  .setCancelRequested(found.get().getCancelRequestedAt() != 0)
                  .setMessagesWaiting(TaskInbox.waits(found.get()));
            }
            response.addStatuses(status);
          }
          return response.build();
        });
  }
}

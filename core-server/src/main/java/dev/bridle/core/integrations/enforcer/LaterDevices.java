package dev.bridle.core.integrations.enforcer;

import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.permission.PermissionStore;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.permission.v1.PermissionStatus;
import dev.bridle.record.v1.PermissionRecord;
import java.util.Optional;

/**
 * Asks devices that are enrolled while questions wait: who pairs a phone since an agent waits finds
 * the question there. What is not asked, since the server ends meanwhile, is asked by other ways.
 */
final class LaterDevices {
  /** How many of the newest permission requests of a tenant are looked at. */
  private static final int NEWEST = 1000;

  private final CoreContext context;
  private final PermissionStore permissions;
  private final HarpRequests requests;
  private final TaskStores stores;

  LaterDevices(CoreContext context, HarpRequests requests, TaskStores stores) {
    this.context = context;
    this.permissions = new PermissionStore(context.layout());
    this.requests = requests;
    this.stores = stores;
  }

  /** Asks the devices of a tenant what waits and they were not asked. */
  void ask(String tenant) {
    for (String id : context.store().read(tr -> permissions.waiting(tr, tenant, NEWEST))) {
      var unused =
          context
              .commands()
              .fenced(
                  FencedWrite.SEND_REQUEST,
                  tenant,
                  Acceptance.ACTOR,
                  write -> {
                    ask(write, id);
                    return true;
                  });
    }
  }

  private void ask(Write write, String id) {
    Optional<PermissionRequest> waiting =
        permissions
            .find(write.tr(), write.tenant(), id)
            .map(PermissionRecord::getRequest)
            .filter(request -> request.getStatus() == PermissionStatus.PERMISSION_STATUS_PENDING);
    waiting
        .flatMap(request -> stores.tasks().find(write.tr(), write.tenant(), request.getTaskId()))
        .ifPresent(
            task -> {
              TaskChange change = stores.change(write, task);
              requests.changed(change, waiting.orElseThrow());
              change.save();
            });
  }
}

package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.due.DueHandler;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.Installation;
import java.util.Optional;

/** Deletes command records once their retention is over. */
final class CommandExpiry implements DueHandler {
  private final CoreContext context;
  private final IdempotencyStore idempotency;
  private final Installation installation;

  CommandExpiry(CoreContext context, IdempotencyStore idempotency, Installation installation) {
    this.context = context;
    this.idempotency = idempotency;
    this.installation = installation;
  }

  /** Deletes the record of one idempotency key that an earlier release stored. */
  @Override
  public void handle(DueEntry entry) {
    context
        .commands()
        .fenced(
            FencedWrite.FORGET_COMMAND,
            entry.tenant(),
            Sweeper.ACTOR,
            write -> {
              idempotency.forgetEarlier(write.tr(), entry.tenant(), entry.id());
              context.due().cancel(write.tr(), entry);
              return true;
            });
  }

  /** Deletes the expired records of commands, of all tenants. Several servers may do so at once. */
  void forgetOld() {
    Optional<String> tenant = context.store().read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      context
          .store()
          .transact(
              tr -> {
                idempotency.forgetOld(tr, at, context.clock().millis());
                return true;
              });
      tenant = context.store().read(tr -> installation.tenantAfter(tr, at));
    }
  }
}

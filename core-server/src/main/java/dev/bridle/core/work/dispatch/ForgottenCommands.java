package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.due.DueHandler;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.Installation;
import java.util.Optional;

/** Forgets the records of commands once they are too old to be repeated. */
final class ForgottenCommands implements DueHandler {
  private final CoreContext context;
  private final IdempotencyStore idempotency;
  private final Installation installation;

  ForgottenCommands(CoreContext context, IdempotencyStore idempotency, Installation installation) {
    this.context = context;
    this.idempotency = idempotency;
    this.installation = installation;
  }

  /** Forgets the command of one idempotency key. */
  @Override
  public void handle(DueEntry entry) {
    context
        .commands()
        .fenced(
            FencedWrite.FORGET_COMMAND,
            entry.tenant(),
            Sweeper.ACTOR,
            write -> {
              idempotency.forget(write.tr(), entry.tenant(), entry.id());
              context.due().cancel(write.tr(), entry);
              return true;
            });
  }

  /** Forgets the commands without a key of all tenants whose time is over. */
  void forgetMinted() {
    Optional<String> tenant = context.store().read(tr -> installation.tenantAfter(tr, ""));
    while (tenant.isPresent()) {
      String at = tenant.get();
      context
          .store()
          .transact(
              tr -> {
                idempotency.forgetMinted(tr, at, context.clock().millis());
                return true;
              });
      tenant = context.store().read(tr -> installation.tenantAfter(tr, at));
    }
  }
}

package dev.bridle.core.integrations.harpsession;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.record.v1.LayerSessionRecord;
import dev.bridle.storage.layer.DueEntry;
import io.grpc.BindableService;
import java.util.Optional;

/** Wires up the session layer of HARP. */
public final class LayerSessions {
  /** How many events a transaction removes. */
  private static final int REMOVED_AT_ONCE = 200;

  private final Commands commands;
  private final LayerSessionStore store;
  private final BindableService service;

  /**
   * Creates the feature.
   *
   * @param gatewayId what its envelopes name as their sender
   */
  public LayerSessions(CoreContext context, String gatewayId) {
    this.commands = context.commands();
    this.store = new LayerSessionStore(context);
    MirroredSessions mirrored = new MirroredSessions(context);
    this.service =
        new LayerSessionService(
            context,
            new SessionIntake(store, mirrored),
            new SessionPages(store, mirrored),
            gatewayId);
  }

  /** Returns its service. */
  public BindableService service() {
    return service;
  }

  /** Removes a session that is due, or a part of it. */
  public void due(DueEntry entry) {
    var unused =
        commands.fenced(
            FencedWrite.REMOVE_LAYER_SESSION,
            entry.tenant(),
            entry.id(),
            write -> {
              Optional<LayerSessionRecord> session = store.due(write.tr(), entry);
              session.ifPresentOrElse(
                  found -> store.removeSome(write, found, REMOVED_AT_ONCE),
                  () -> store.cancel(write, entry));
              return session.isPresent();
            });
  }
}

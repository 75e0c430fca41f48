package dev.bridle.core.integrations.enforcer;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.HarpRequestRecord;
import java.util.function.BiConsumer;

/** Changes the record of one request in a transaction of its own. */
final class RequestChanges {
  private final Commands commands;
  private final HarpRequestStore store;

  RequestChanges(Commands commands, HarpRequestStore store) {
    this.commands = commands;
    this.store = store;
  }

  /** Runs a change of a request; does nothing if the request is not there any more. */
  void change(String tenant, String requestId, BiConsumer<Write, HarpRequestRecord> change) {
    var unused =
        commands.fenced(
            FencedWrite.SEND_REQUEST,
            tenant,
            Acceptance.ACTOR,
            write -> {
              store
                  .find(write.tr(), tenant, requestId)
                  .ifPresent(record -> change.accept(write, record));
              return true;
            });
  }
}

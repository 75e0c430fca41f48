package dev.bridle.core.operations.portability;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.operations.portability.file.Counts;
import dev.bridle.core.operations.portability.file.Header;
import dev.bridle.record.v1.ImportRecord;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * Appends the event of an import, once, in the import's last write. Live streams get this one event
 * instead of the imported history.
 */
final class ImportEvents {
  private static final String ACTOR = "operator";

  private final Commands commands;
  private final Events events;
  private final String tenant;
  private final ImportProgress progress;

  ImportEvents(Commands commands, Events events, String tenant, ImportProgress progress) {
    this.commands = commands;
    this.events = events;
    this.tenant = tenant;
    this.progress = progress;
  }

  /**
   * Ends the import. The event is appended to each workspace of the file, or to the session of an
   * imported task.
   */
  void finish(
      Header header, byte[] file, Counts counts, Set<String> workspaces, Optional<String> session) {
    commands.once(
        tenant,
        ACTOR,
        write -> {
          ImportRecord record = progress.find(write.tr()).orElseThrow(ImportProgress::disturbed);
          if (record.getFinishedAt() == 0) {
            Payload facts = facts(header, file, counts);
            EventDraft draft =
                EventDraft.of(
                    EventKinds.IMPORTED,
                    record.getUnverified() ? facts.flag("unverified", true) : facts);
            append(write, draft, workspaces, session);
            progress.put(write.tr(), record.toBuilder().setFinishedAt(write.nowMillis()).build());
          }
          return true;
        });
  }

  private void append(
      Write write, EventDraft draft, Set<String> workspaces, Optional<String> session) {
    for (String workspace : workspaces) {
      if (session.isPresent()) {
        events.ofSession(write, workspace, session.get(), draft);
      } else {
        events.ofWorkspace(write, workspace, draft);
      }
    }
  }

  private static Payload facts(Header header, byte[] file, Counts counts) {
    return Payload.of()
        .text("kind", header.kind())
        .text("source_installation", header.installation())
        .text("source_tenant_id", header.tenant())
        .text("session_id", header.session().orElse(""))
        .text("task_id", header.task().orElse(""))
        .text("high_water_event_id", header.highWater())
        .text("file_sha256", HexFormat.of().formatHex(file))
        .number("records", counts.records())
        .number("events", counts.events())
        .number("live_tasks", counts.liveTasks());
  }
}

package dev.bridle.core.work.memory;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.storage.layer.DueEntry;
import java.util.Optional;

/** Deletes the content of expired memories. Any process's sweeper may call it. */
public final class MemoryExpiry {
  private static final String ACTOR = "bridle";

  private final Commands commands;
  private final TenantRecords<MemoryRecord> memories;
  private final Events events;

  public MemoryExpiry(CoreContext context) {
    this.commands = context.commands();
    this.memories = new TenantRecords<>(context.layout(), MemoryStore.MEMORY);
    this.events = context.events();
  }

  /** Deletes the memory of a due entry; removes a stale entry. */
  public void expire(DueEntry entry) {
    commands.fenced(
        FencedWrite.SWEEP,
        entry.tenant(),
        ACTOR,
        write -> {
          Optional<MemoryRecord> expired = memories.due(write.tr(), entry);
          expired.ifPresentOrElse(
              memory -> delete(write, memory), () -> memories.cancel(write, entry));
          return expired.isPresent();
        });
  }

  private void delete(Write write, MemoryRecord before) {
    memories.update(write, before, MemoryStore.tombstone(write, before));
    String id = before.getMemory().getId();
    var unused =
        events.ofResource(
            write,
            before.getWorkspaceId(),
            MemoryStore.MEMORY.name(),
            id,
            EventDraft.of(
                EventKinds.MEMORY_DELETED,
                MemoryEvents.facts(before.getMemory()).text("reason", "expired")));
  }
}

package dev.bridle.core.work.memory;

import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.TokenChecked;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.record.v1.MemoryRecord;
import dev.bridle.storage.layer.DueEntry;
import java.util.Optional;

/** Deletes what expired memories say, for whichever process sweeps first. */
public final class MemoryExpiry {
  private static final String ACTOR = "bridle";

  private final Commands commands;
  private final MemoryStore memories;
  private final MemoryEvents events;

  public MemoryExpiry(Commands commands, MemoryStore memories, Events events) {
    this.commands = commands;
    this.memories = memories;
    this.events = new MemoryEvents(events);
  }

  /** Deletes the memory of a due entry; removes an entry that is not the memory's own any more. */
  public void expire(DueEntry entry) {
    commands.fenced(
        TokenChecked.SWEEP,
        entry.tenant(),
        ACTOR,
        write -> {
          Optional<MemoryRecord> expired = memories.expired(write.tr(), entry);
          if (expired.isEmpty()) {
            memories.forget(write, entry);
            return false;
          }
          memories.bury(write, expired.get());
          events.deleted(write, expired.get(), Optional.of("expired"));
          return true;
        });
  }
}

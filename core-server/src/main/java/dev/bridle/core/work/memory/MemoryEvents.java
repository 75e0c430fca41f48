package dev.bridle.core.work.memory;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.memory.v1.Memory;
import dev.bridle.record.v1.MemoryRecord;
import java.util.Optional;

/** Emits events of memories: whose they are, and never what they say. */
public final class MemoryEvents {
  private final Events events;

  public MemoryEvents(Events events) {
    this.events = events;
  }

  /** Emits the event of a new memory. */
  public void created(Write write, Memory memory, String workspace) {
    emit(write, memory, workspace, EventKinds.MEMORY_CREATED, facts(memory));
  }

  /**
   * Emits that a memory is gone.
   *
   * @param reason why; empty where somebody deleted it
   */
  public void deleted(Write write, MemoryRecord before, Optional<String> reason) {
    Memory memory = before.getMemory();
    emit(
        write,
        memory,
        before.getWorkspaceId(),
        EventKinds.MEMORY_DELETED,
        facts(memory).text("reason", reason.orElse("")));
  }

  private static Payload facts(Memory memory) {
    return Payload.of()
        .json(
            "scope",
            ResourceJson.member(memory, memory.getDescriptorForType().findFieldByName("scope")))
        .text("owner_id", memory.getOwnerId());
  }

  private void emit(Write write, Memory memory, String workspace, String kind, Payload facts) {
    events.ofResource(
        write,
        workspace,
        "",
        MemoryStore.MEMORY.name(),
        memory.getId(),
        memory.getId(),
        EventDraft.of(kind, facts));
  }
}

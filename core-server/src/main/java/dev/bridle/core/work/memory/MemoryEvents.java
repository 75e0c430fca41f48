package dev.bridle.core.work.memory;

import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.memory.v1.Memory;

/** Payloads of memory events: scope and owner, never the content. */
public final class MemoryEvents {
  private MemoryEvents() {}

  /** Returns the scope and owner of a memory. */
  public static Payload facts(Memory memory) {
    return Payload.of()
        .json(
            "scope",
            ResourceJson.member(memory, memory.getDescriptorForType().findFieldByName("scope")))
        .text("owner_id", memory.getOwnerId());
  }
}

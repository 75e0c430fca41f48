package dev.bridle.core.work.memory;

import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.memory.v1.Memory;

/** What events of memories say: whose they are, and never their content. */
public final class MemoryEvents {
  private MemoryEvents() {}

  /** Returns whose a memory is. */
  public static Payload facts(Memory memory) {
    return Payload.of()
        .json(
            "scope",
            ResourceJson.member(memory, memory.getDescriptorForType().findFieldByName("scope")))
        .text("owner_id", memory.getOwnerId());
  }
}

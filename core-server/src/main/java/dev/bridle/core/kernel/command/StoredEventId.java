package dev.bridle.core.kernel.command;

import dev.bridle.record.v1.PendingEvent;
import dev.bridle.storage.layer.PendingEventId;

/** The id of an event as a command's record has it: complete but for the stamp of the commit. */
public final class StoredEventId {
  private StoredEventId() {}

  /** Returns the id as it is stored. */
  public static PendingEvent of(PendingEventId event) {
    return PendingEvent.newBuilder()
        .setEra(event.era())
        .setNumber(event.number())
        .setPartition(event.partition())
        .build();
  }

  /** Returns a stored id. */
  public static PendingEventId parse(PendingEvent stored) {
    return new PendingEventId(stored.getEra(), stored.getNumber(), stored.getPartition());
  }
}

package dev.bridle.core.kernel.due;

import dev.bridle.storage.layer.DueEntry;

/** Handles due entries of one kind. Features register their handlers with the sweeper. */
@FunctionalInterface
public interface DueHandler {
  /**
   * Does the due work of an entry, or removes the entry where it is stale. An entry that is not
   * removed is handled again. A {@code StoreException} leaves it due.
   */
  void handle(DueEntry entry);
}

package dev.bridle.core.kernel.due;

import dev.bridle.storage.layer.DueEntry;

/** Does the work of due entries of one kind. Features register theirs with the sweeper. */
@FunctionalInterface
public interface DueHandler {
  /**
   * Does what an entry stands for, or removes the entry where it no longer belongs to anything. An
   * entry that is still there is handled again. A {@code StoreException} leaves it due.
   */
  void handle(DueEntry entry);
}

package dev.bridle.storage.layer.migration;

import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Rows;
import java.util.Optional;

/**
 * Migrates stored data from one format to the next in steps. A step is one transaction, which also
 * stores the progress: after a crash the next start continues there, and of two concurrent
 * processes only one does each step.
 */
public interface Migration {
  /** Returns the format that it starts from; it ends at the one after. */
  int from();

  /** Returns a summary that completes "Migrating …, to …" in the log. */
  String summary();

  /**
   * Does one step: some hundred rows, well under a second and a megabyte. It may be called again
   * for the same step if its transaction did not commit.
   *
   * @param rows builds and parses keys
   * @param place what the previous step returned; empty for the first step
   * @return the position of the next step; empty once done
   */
  Optional<byte[]> step(Transaction tr, Rows rows, Optional<byte[]> place);
}

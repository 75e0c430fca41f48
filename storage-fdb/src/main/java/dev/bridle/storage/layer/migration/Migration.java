package dev.bridle.storage.layer.migration;

import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.Rows;
import java.util.Optional;

/**
 * Brings stored data from one format to the next, in pieces. A piece is one transaction, in which
 * the place that it came to is stored as well: a process that dies goes on there at its next start,
 * and of two processes that work at once one does each piece.
 */
public interface Migration {
  /** Returns the format that it starts from; it ends at the one after. */
  int from();

  /** Returns what it does, as the end of a sentence, for the log. */
  String summary();

  /**
   * Does one piece: some hundred rows, well under a second and a megabyte. It may be called again
   * for the same piece when its transaction did not commit.
   *
   * @param rows makes and reads keys
   * @param place what the piece before returned; empty for the first piece
   * @return where the next piece begins; empty once all is done
   */
  Optional<byte[]> step(Transaction tr, Rows rows, Optional<byte[]> place);
}

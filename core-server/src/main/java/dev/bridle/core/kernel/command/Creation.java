package dev.bridle.core.kernel.command;

import dev.bridle.storage.Transaction;
import java.util.Optional;

/**
 * By what a command that creates something is recognized as applied: by what it created, so that it
 * needs no record of its own.
 *
 * @param prefix the prefix of the id of what is created, which is the first id that the command's
 *     work asks for
 * @param trace finds what was created
 */
public record Creation(String prefix, Trace trace) {

  /** Finds what an earlier attempt created. */
  public interface Trace {
    /** Reads it with a conflict, and returns the 10-byte stamp of the commit that created it. */
    Optional<byte[]> find(Transaction tr, String tenant, String id);
  }
}

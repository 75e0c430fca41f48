package dev.bridle.core.kernel.command;

import com.google.protobuf.Message;
import dev.bridle.storage.ReadTransaction;

/** Leaves out of a stored answer what has been erased since. */
@FunctionalInterface
public interface StoredAnswers {
  /** Shows all answers as they were. */
  StoredAnswers UNCHANGED = (tr, tenant, answer) -> answer;

  /** Returns an answer as a repeated request gets it. */
  Message shown(ReadTransaction tr, String tenant, Message answer);
}

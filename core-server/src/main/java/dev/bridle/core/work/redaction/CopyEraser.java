package dev.bridle.core.work.redaction;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.redaction.ErasedAnswers.Marks;
import java.util.Optional;

/**
 * Erases the copies of one kind that nobody is shown any more. It is called until it is through,
 * each time in a transaction of its own.
 */
public interface CopyEraser {
  /**
   * Erases copies from a place on.
   *
   * @param marks what was redacted, by this redaction and others
   * @param from where the call before ended; empty: at the beginning
   * @return where to continue; empty: all copies of this kind are erased
   */
  Optional<ByteString> erase(Write write, Marks marks, ByteString from);
}

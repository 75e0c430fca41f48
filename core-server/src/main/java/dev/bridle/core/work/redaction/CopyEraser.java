package dev.bridle.core.work.redaction;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.record.v1.RedactedResourceRecord;
import java.util.List;
import java.util.Optional;

/**
 * Erases the copies of one kind that nobody is shown any more. It is called until it is through,
 * each time in a transaction of its own.
 */
public interface CopyEraser {
  /**
   * Erases copies from a place on.
   *
   * @param redacted the resources of one redaction
   * @param from where the call before ended; empty: at the beginning
   * @return where to continue; empty: all copies of this kind are erased
   */
  Optional<ByteString> erase(Write write, List<RedactedResourceRecord> redacted, ByteString from);
}

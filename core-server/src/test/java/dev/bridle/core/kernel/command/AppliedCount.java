package dev.bridle.core.kernel.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Empty;
import dev.bridle.storage.KeyValueStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Counts how often the work of commands was applied. */
final class AppliedCount {
  private static final byte[] KEY = "applied".getBytes(UTF_8);

  private AppliedCount() {}

  /** A write that reads nothing, so that nothing but the command's own record can conflict. */
  static Empty addOne(Write write) {
    write.tr().add(KEY, 1);
    return Empty.getDefaultInstance();
  }

  static long in(KeyValueStore store) {
    byte[] count = store.read(tr -> tr.get(KEY)).orElseThrow();
    return ByteBuffer.wrap(count).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }
}

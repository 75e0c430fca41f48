package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of the session's tool calls, the latest 1,000 or 32 MiB of them. Of an older one
 * only what is said later is known again. For one thread.
 */
final class ToolCalls {
  private static final int MOST = 1000;
  private static final long MOST_BYTES = 32L << 20;

  private final Map<String, ToolCall> calls = new LinkedHashMap<>();
  private long bytes;

  Optional<ToolCall> find(String id) {
    return Optional.ofNullable(calls.get(id));
  }

  ToolCall merge(String id, RawJson said) {
    ToolCall before = calls.remove(id);
    ToolCall call = before == null ? ToolCall.of(said) : before.with(said);
    bytes += call.bytes() - (before == null ? 0 : before.bytes());
    Iterator<ToolCall> oldest = calls.values().iterator();
    while (oldest.hasNext() && (calls.size() >= MOST || bytes > MOST_BYTES)) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
    calls.put(id, call);
    return call;
  }
}

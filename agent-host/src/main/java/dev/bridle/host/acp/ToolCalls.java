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

  private final Map<String, Known> calls = new LinkedHashMap<>();
  private long bytes;

  /**
   * What is known of a tool call.
   *
   * @param updates how many updates have said it
   */
  private record Known(ToolCall call, int updates) {}

  Optional<ToolCall> find(String id) {
    return Optional.ofNullable(calls.get(id)).map(Known::call);
  }

  /** Returns whether the agent has announced a tool call, and said nothing of it since. */
  boolean isOnlyAnnounced(String id) {
    return Optional.ofNullable(calls.get(id)).filter(known -> known.updates() == 1).isPresent();
  }

  private static boolean isNew(RawJson said) {
    return Members.of(said).text("sessionUpdate").equals("tool_call");
  }

  ToolCall merge(String id, RawJson said) {
    Known before = calls.remove(id);
    bytes -= before == null ? 0 : before.call().bytes();
    if (before != null && before.call().over() && isNew(said)) {
      before = null; // The agent uses the id again.
    }
    ToolCall call = before == null ? ToolCall.of(said) : before.call().with(said);
    bytes += call.bytes();
    Iterator<Known> oldest = calls.values().iterator();
    while (oldest.hasNext() && (calls.size() >= MOST || bytes > MOST_BYTES)) {
      bytes -= oldest.next().call().bytes();
      oldest.remove();
    }
    int updates = before == null ? 1 : Math.min(before.updates(), MOST) + 1;
    calls.put(id, new Known(call, updates));
    return call;
  }
}

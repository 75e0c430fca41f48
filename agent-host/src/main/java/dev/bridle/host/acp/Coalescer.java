package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes few updates of many. The first text of a message goes at once, then every 100 ms or 8 KiB;
 * a tool call's first update and each change of its status go at once, the rest waits likewise. Any
 * other update lets what waits go first, so that the order is the agent's. For one thread.
 */
final class Coalescer {
  static final Duration PAUSE = Duration.ofMillis(100);
  static final int ENOUGH = 8 * 1024;
  private static final int MOST_MESSAGES = 256;

  private final Consumer<SessionUpdate> out;
  private final Consumer<Runnable> later;
  private final LongSupplier clock;
  private final ToolCalls tools = new ToolCalls();
  private final Map<Key, Message> messages =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Message> eldest) {
          return size() > MOST_MESSAGES;
        }
      };

  private Optional<Key> waitingText = Optional.empty();
  private final StringBuilder text = new StringBuilder();
  private Optional<String> waitingTool = Optional.empty();

  /**
   * @param out takes updates in order
   * @param later runs an action on the same thread after {@link #PAUSE}
   * @param clock nanoseconds
   */
  Coalescer(Consumer<SessionUpdate> out, Consumer<Runnable> later, LongSupplier clock) {
    this.out = out;
    this.later = later;
    this.clock = clock;
  }

  private record Key(SessionUpdate.Voice voice, String messageId) {}

  private static final class Message {
    private long sent;
    private long sentAt;
  }

  void text(SessionUpdate.Voice voice, String messageId, String chunk) {
    Key key = new Key(voice, messageId);
    if (!waitingText.equals(Optional.of(key))) {
      flush();
    }
    Message message = messages.get(key);
    text.append(chunk);
    waitingText = Optional.of(key);
    if (message == null) {
      messages.put(key, new Message());
      flush();
    } else if (text.length() >= ENOUGH || clock.getAsLong() - message.sentAt >= PAUSE.toNanos()) {
      flush();
    } else if (text.length() == chunk.length()) {
      later.accept(this::flush);
    }
  }

  void tool(RawJson said) {
    String id = Members.of(said).text("toolCallId");
    if (!waitingTool.equals(Optional.of(id))) {
      flush();
    }
    String before = tools.find(id).map(ToolCall::status).orElse("");
    boolean first = tools.find(id).isEmpty();
    ToolCall call = tools.merge(id, said);
    endMessagesWithoutId();
    if (first || !call.status().equals(before)) {
      waitingTool = Optional.empty();
      out.accept(new SessionUpdate.Tool(call, first, !call.status().equals(before)));
    } else if (waitingTool.isEmpty()) {
      waitingTool = Optional.of(id);
      later.accept(this::flush);
    }
  }

  void whole(SessionUpdate update) {
    flush();
    out.accept(update);
  }

  /** What is known of a tool call. */
  Optional<ToolCall> known(String id) {
    return tools.find(id);
  }

  /** Returns whether a tool call was announced, and nothing was said of it since. */
  boolean isOnlyAnnounced(String id) {
    return tools.isOnlyAnnounced(id);
  }

  /** Ends a turn: what waits goes, and a message without an id is continued by none. */
  void endOfTurn() {
    flush();
    endMessagesWithoutId();
  }

  void flush() {
    if (waitingText.isPresent()) {
      Key key = waitingText.get();
      waitingText = Optional.empty();
      String chunk = text.toString();
      text.setLength(0);
      Message message = messages.computeIfAbsent(key, unknown -> new Message());
      long offset = message.sent;
      message.sent += chunk.length();
      message.sentAt = clock.getAsLong();
      out.accept(new SessionUpdate.Text(key.voice(), key.messageId(), offset, chunk));
    }
    if (waitingTool.isPresent()) {
      Optional<ToolCall> call = tools.find(waitingTool.get());
      waitingTool = Optional.empty();
      call.ifPresent(known -> out.accept(new SessionUpdate.Tool(known, false, false)));
    }
  }

  /** Agents without message ids say something new after a tool call. */
  private void endMessagesWithoutId() {
    messages.keySet().removeIf(key -> key.messageId().isEmpty());
  }
}

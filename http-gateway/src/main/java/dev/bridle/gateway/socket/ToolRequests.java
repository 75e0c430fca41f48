package dev.bridle.gateway.socket;

import dev.bridle.event.v1.Event;
import dev.bridle.gateway.kit.json.JsonTape;
import dev.bridle.gateway.kit.json.JsonTape.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tracks the tool requests for a client. A stored request may have been answered by a later event,
 * so stored requests are kept until all stored events have been read; the remaining ones are open.
 */
final class ToolRequests {

  /** The maximum number of kept requests, the newest ones. */
  static final int MOST = 16;

  private static final String REQUESTED = "tool.requested";
  private static final Set<String> KINDS = Set.of(REQUESTED, "tool.completed", "tool.failed");

  // Payloads were validated when they were stored; this limit only has to exceed theirs.
  private static final int MAX_DEPTH = 128;

  private final Map<String, Event> waiting = new LinkedHashMap<>();

  /** Records an event that was stored before the stream became live. */
  void stored(Event event) {
    Optional<String> call = call(event);
    if (call.isEmpty()) {
      return;
    }
    if (!event.getEvent().equals(REQUESTED)) {
      waiting.remove(call.get());
      return;
    }
    waiting.put(call.get(), event);
    if (waiting.size() > MOST) {
      waiting.remove(waiting.keySet().iterator().next());
    }
  }

  /** Returns and removes the open requests, oldest first. */
  List<Event> take() {
    List<Event> taken = new ArrayList<>(waiting.values());
    waiting.clear();
    return taken;
  }

  /** Returns about how many bytes the open requests take. */
  long bytes() {
    return waiting.values().stream().mapToLong(Event::getSerializedSize).sum();
  }

  /** Returns whether an event asks a client to run a tool. */
  static boolean asks(Event event) {
    return event.getEvent().equals(REQUESTED) && call(event).isPresent();
  }

  /** Returns the id of an event's tool call if clients run the tool. */
  private static Optional<String> call(Event event) {
    if (!KINDS.contains(event.getEvent()) || event.getPayload().isEmpty()) {
      return Optional.empty(); // Redacted events have no payload.
    }
    JsonTape payload = JsonTape.parse(event.getPayload().toByteArray(), MAX_DEPTH);
    return text(payload, "mediated_by")
        .filter("host"::equals)
        .flatMap(host -> text(payload, "tool_call_id"));
  }

  private static Optional<String> text(JsonTape object, String name) {
    int node = object.kind(0) == Kind.OBJECT ? object.member(0, name) : -1;
    return node < 0 || object.kind(node) != Kind.STRING
        ? Optional.empty()
        : Optional.of(object.string(node));
  }
}

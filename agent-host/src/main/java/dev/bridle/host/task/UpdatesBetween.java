package dev.bridle.host.task;

import dev.bridle.host.acp.SessionUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What an agent reports while no task uses it, for the session's next task: of how things stand the
 * last of each kind, of all else as much as there is room for, in its order. Thread-safe.
 */
final class UpdatesBetween {
  private static final int MOST_UPDATES = 500;
  private static final int MOST_BYTES = 1 << 20;

  /** What says how things stand, so that a later one makes an earlier one void. */
  private static final Set<Class<?>> STANDING =
      Set.of(
          SessionUpdate.Commands.class,
          SessionUpdate.ConfigOptions.class,
          SessionUpdate.Mode.class,
          SessionUpdate.Plan.class,
          SessionUpdate.Usage.class);

  private final List<SessionUpdate> kept = new ArrayList<>();
  private long bytes;
  private long dropped;

  /**
   * What was kept.
   *
   * @param updates the updates in their order
   * @param dropped how many there was no room for
   */
  record Kept(List<SessionUpdate> updates, long dropped) {
    /** Copies. */
    Kept {
      updates = List.copyOf(updates);
    }

    boolean isEmpty() {
      return updates.isEmpty() && dropped == 0;
    }
  }

  /** Keeps an update if there is room for it. */
  synchronized void add(SessionUpdate update) {
    if (STANDING.contains(update.getClass())) {
      kept.removeIf(earlier -> earlier.getClass() == update.getClass());
      kept.add(update);
      return;
    }
    int size = size(update);
    if (kept.size() >= MOST_UPDATES || bytes + size > MOST_BYTES) {
      dropped++;
      return;
    }
    bytes += size;
    kept.add(update);
  }

  private static int size(SessionUpdate update) {
    if (update instanceof SessionUpdate.Text text) {
      return text.text().length();
    }
    if (update instanceof SessionUpdate.Content content) {
      return content.block().length();
    }
    if (update instanceof SessionUpdate.Tool tool) {
      return tool.call().rawInput().length()
          + tool.call().rawOutput().length()
          + tool.call().content().toString().length();
    }
    return update instanceof SessionUpdate.Other other ? other.update().length() : 0;
  }

  /** Returns what was kept, once. */
  synchronized Kept take() {
    Kept taken = new Kept(kept, dropped);
    kept.clear();
    bytes = 0;
    dropped = 0;
    return taken;
  }
}

package dev.bridle.host.acp;

import dev.bridle.host.acp.HistoryEntry.Kind;
import dev.bridle.host.rpc.RawJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Tells what an agent repeats of a loaded session from what is new, in the turn that follows. ACP
 * wants all repeated before the load is answered; some agents go on with it after the next prompt,
 * where no marker tells it apart. An agent is known to repeat if it had come to a known place
 * before the prompt, or says the user's earlier words: then what follows in the history is dropped,
 * until something else comes. What may be either is held back until that is known; where it stays
 * open, it is taken for new, since words that are recorded twice are a smaller fault than words
 * that are lost. Thread-safe.
 */
final class LateHistory {
  /** How full the context is, which is told anew each time. */
  private static final String USAGE = "usage_update";

  private static final int MOST_HELD = 1 << 20;

  /** After how long without any, the history is taken to be whole. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final HistoryMatch match;

  /** The tool calls that were recorded, and whose end was not repeated yet. */
  private final Set<TextPrint> unrepeated = new HashSet<>();

  /** Those of them that have begun to be repeated. */
  private final Set<TextPrint> repeating = new HashSet<>();

  private final List<RawJson> held = new ArrayList<>();
  private int heldBytes;
  private TextPrint lastCall = TextPrint.EMPTY;
  private TextPrint prompt = TextPrint.EMPTY;

  /** Whether words are new from here on. */
  private boolean over;

  /** Whether the agent is known to repeat. */
  private boolean repeats;

  /** Whether something was repeated in the turn. */
  private boolean late;

  private long dropped;

  /** When history came last, as {@link System#nanoTime} counts. */
  private long last = System.nanoTime();

  /** Creates it for a session that is about to be taken up. */
  LateHistory(List<HistoryEntry> entries) {
    match = new HistoryMatch(entries);
    for (HistoryEntry entry : entries) {
      if (entry.kind() == Kind.CALL) {
        unrepeated.add(entry.print());
      }
    }
  }

  /** How many updates were dropped as repetitions. */
  synchronized long dropped() {
    return dropped;
  }

  /** Takes what comes before the next prompt, all of which is history. */
  synchronized void replayed(RawJson raw) {
    dropped++;
    last = System.nanoTime();
    Members update = Members.of(raw);
    String variant = update.text("sessionUpdate");
    if (variant.equals("user_message_chunk")) {
      repeats = match.user(words(update), TextPrint.EMPTY) || repeats;
    } else if (!variant.equals(USAGE)) {
      repeats = isOld(update, raw);
      if (!repeats) {
        match.anywhere();
        repeats = isOld(update, raw); // It may have gone back.
      }
    }
  }

  /** Waits until no more history has come for a while. */
  synchronized void awaitPause() throws InterruptedException {
    long began = System.nanoTime();
    while (true) {
      long now = System.nanoTime();
      long left = Math.min(PAUSE.toNanos() - (now - last), LONGEST.toNanos() - (now - began));
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** The next prompt is sent. */
  synchronized void prompted(String text) {
    prompt = TextPrint.of(text);
    over = over || match.isAll();
  }

  /** Nothing is repeated from now on; returns what was held back. */
  synchronized List<RawJson> end() {
    over = true;
    late = false;
    List<RawJson> left = List.copyOf(held);
    held.clear();
    return left;
  }

  /** Returns what is known to be new now that an update has come in the turn, in its order. */
  synchronized List<RawJson> take(RawJson raw) {
    if (over && !late) {
      return List.of(raw);
    }
    Members update = Members.of(raw);
    String variant = update.text("sessionUpdate");
    if (variant.equals(USAGE) || !SessionUpdates.isHistory(raw)) {
      return List.of(raw);
    }
    if (variant.equals("user_message_chunk")) {
      return heardUser(update) ? List.of() : List.of(raw);
    }
    if (!over && isOld(update, raw)) {
      held.add(raw.alone());
      heldBytes += raw.length();
      dropHeldIfOld();
      return heldBytes > MOST_HELD ? end() : List.of();
    }
    if (late && unrepeated.contains(callId(update))) {
      // Recorded calls are dropped once, also if other words were repeated than were recorded.
      repeated(callId(update), update);
      dropped++;
      return List.of();
    }
    over = true;
    List<RawJson> fresh = new ArrayList<>(held);
    held.clear();
    fresh.add(raw);
    return fresh;
  }

  private boolean heardUser(Members update) {
    boolean isOld = !over && match.user(words(update), prompt);
    if (isOld) {
      repeats = true;
      late = true;
      dropped++;
      dropHeldIfOld();
    }
    return isOld;
  }

  private void dropHeldIfOld() {
    if (repeats && match.isBetween()) {
      late = true;
      dropped += held.size();
      held.clear();
      heldBytes = 0;
    }
  }

  private boolean isOld(Members update, RawJson raw) {
    TextPrint call = callId(update);
    boolean again = !call.isEmpty() && (call.equals(lastCall) || repeating.contains(call));
    boolean old = again || matches(update, raw, call);
    lastCall = TextPrint.EMPTY;
    if (old && !call.isEmpty()) {
      repeated(call, update);
    }
    return old;
  }

  private void repeated(TextPrint call, Members update) {
    lastCall = call;
    String status = update.text("status");
    if (status.equals("completed") || status.equals("failed")) {
      unrepeated.remove(call);
      repeating.remove(call);
    } else {
      repeating.add(call);
    }
  }

  private boolean matches(Members update, RawJson raw, TextPrint call) {
    return switch (update.text("sessionUpdate")) {
      case "agent_message_chunk" -> matches(Kind.AGENT, update);
      case "agent_thought_chunk" -> matches(Kind.THOUGHT, update);
      case "tool_call", "tool_call_update" ->
          unrepeated.contains(call) && match.whole(Kind.CALL, call);
      case "plan" -> isOther(update.raw("entries"));
      default -> isOther(raw);
    };
  }

  private boolean matches(Kind kind, Members update) {
    return update.object("content").text("type").equals("text")
        ? match.text(kind, words(update))
        : isOther(update.raw("content"));
  }

  private boolean isOther(RawJson json) {
    return match.whole(Kind.OTHER, TextPrint.of(json.toString()));
  }

  private static String words(Members update) {
    return update.object("content").text("text");
  }

  /** The print of the id of a tool call, empty for anything else. */
  private static TextPrint callId(Members update) {
    boolean isCall = update.text("sessionUpdate").startsWith("tool_call");
    return isCall ? TextPrint.of(update.text("toolCallId")) : TextPrint.EMPTY;
  }
}

package dev.bridle.host.acp;

import dev.bridle.host.acp.HistoryEntry.Kind;
import dev.bridle.host.acp.SessionUpdate.Voice;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an agent's session has reported so far, as fingerprints of the newest 400 texts, tool calls
 * and others. With it, a repetition by an agent that has loaded the session is told from what is
 * new. Thread-safe.
 */
public final class SessionHistory {
  private static final int MOST = 400;

  private final List<HistoryEntry> entries = new ArrayList<>();
  private final Set<TextPrint> calls = new HashSet<>();
  private Kind speaking = Kind.AGENT;
  private TextPrint said = TextPrint.EMPTY;

  /** Creates the history of a session that nothing is known of. */
  public SessionHistory() {}

  /** Returns the history that {@link #kept} has written, as far as it can be read. */
  public static SessionHistory of(String kept) {
    SessionHistory history = new SessionHistory();
    try {
      HistoryEntry.read(Base64.getUrlDecoder().decode(kept)).forEach(history::add);
    } catch (IllegalArgumentException e) {
      // Then nothing is known.
    }
    return history;
  }

  /** Returns the history as a text of at most 10 KiB, without any of the session's own words. */
  public synchronized String kept() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(HistoryEntry.bytes(entries()));
  }

  /** Returns what there is, oldest first. */
  synchronized List<HistoryEntry> entries() {
    List<HistoryEntry> all = new ArrayList<>(entries);
    if (!said.isEmpty()) {
      all.add(new HistoryEntry(speaking, said));
    }
    return all.subList(Math.max(0, all.size() - MOST), all.size());
  }

  /** The agent is prompted with a text. */
  synchronized void prompted(String text) {
    pause();
    if (!TextPrint.of(text).isEmpty()) {
      add(new HistoryEntry(Kind.USER, TextPrint.of(text)));
    }
  }

  /** The agent has reported something new. */
  synchronized void add(SessionUpdate update) {
    if (update instanceof SessionUpdate.Text text) {
      text(text.voice(), text.text());
    } else if (update instanceof SessionUpdate.Tool tool) {
      TextPrint id = TextPrint.of(tool.call().id());
      if (calls.add(id)) {
        pause();
        add(new HistoryEntry(Kind.CALL, id));
      }
    } else if (update instanceof SessionUpdate.Content content) {
      other(content.block().toString());
    } else if (update instanceof SessionUpdate.Plan plan) {
      other(plan.entries().toString());
    } else if (update instanceof SessionUpdate.Other other) {
      other(other.update().toString());
    }
  }

  private void text(Voice voice, String text) {
    if (voice == Voice.USER) {
      return; // Its own prompts are known.
    }
    Kind kind = voice == Voice.AGENT ? Kind.AGENT : Kind.THOUGHT;
    if (kind != speaking) {
      pause();
      speaking = kind;
    }
    said = said.plus(text);
  }

  private void other(String whole) {
    pause();
    add(new HistoryEntry(Kind.OTHER, TextPrint.of(whole)));
  }

  /** What is said from now on is another text. */
  synchronized void pause() {
    if (!said.isEmpty()) {
      add(new HistoryEntry(speaking, said));
      said = TextPrint.EMPTY;
    }
  }

  private void add(HistoryEntry entry) {
    entries.add(entry);
    if (entries.size() > MOST) {
      entries.remove(0);
    }
  }
}

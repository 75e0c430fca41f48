package dev.bridle.host.acp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What was said or done in a session, as its fingerprint.
 *
 * @param kind of what
 * @param print of the text, or of the id of a tool call
 */
record HistoryEntry(Kind kind, TextPrint print) {
  /** What is remembered. Each agent repeats its own words; the rest only some of them. */
  enum Kind {
    USER('u'),
    AGENT('a'),
    THOUGHT('t'),
    CALL('c'),
    OTHER('o');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    private static Optional<Kind> of(int letter) {
      return Arrays.stream(values()).filter(kind -> kind.letter == letter).findFirst();
    }
  }

  private static final int BYTES = 1 + Integer.BYTES + Long.BYTES + Integer.BYTES;

  boolean mayBeLeftOut() {
    return kind != Kind.AGENT;
  }

  static byte[] bytes(List<HistoryEntry> entries) {
    ByteBuffer buffer = ByteBuffer.allocate(entries.size() * BYTES);
    for (HistoryEntry entry : entries) {
      TextPrint print = entry.print();
      buffer.put((byte) entry.kind().letter);
      buffer.putInt(print.length()).putLong(print.hash()).putInt(print.start());
    }
    return buffer.array();
  }

  /** Reads entries as far as they are any. */
  static List<HistoryEntry> read(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<HistoryEntry> entries = new ArrayList<>();
    while (buffer.remaining() >= BYTES) {
      Optional<Kind> kind = Kind.of(buffer.get());
      if (kind.isEmpty()) {
        return entries;
      }
      TextPrint print = new TextPrint(buffer.getInt(), buffer.getLong(), buffer.getInt());
      entries.add(new HistoryEntry(kind.get(), print));
    }
    return entries;
  }
}

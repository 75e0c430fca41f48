package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;

/**
 * A text as far as it is kept: whole, or its beginning and its end with the size and the hash of
 * all of it.
 *
 * @param head the whole text, or its beginning
 * @param tail its end; empty if nothing was cut
 * @param bytes how long all of it is in UTF-8
 * @param sha256 the hash of all of it, with the algorithm's name
 * @param isCut whether something between head and tail is missing
 */
record CutText(String head, String tail, long bytes, String sha256, boolean isCut) {
  /** Cuts a text at whole characters, so that at most so many UTF-16 units are kept. */
  static CutText of(String text, int most) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    String hash = Sha256.PREFIX + Sha256.hex(utf8);
    if (text.length() <= most) {
      return new CutText(KeptText.of(text, most), "", utf8.length, hash, false);
    }
    int half = Math.max(0, most / 2);
    return new CutText(
        KeptText.of(text, half),
        KeptText.of(text.substring(end(text, half)), half),
        utf8.length,
        hash,
        true);
  }

  /** Returns where the last units of a text begin, not within a character. */
  private static int end(String text, int units) {
    int from = text.length() - units;
    boolean within =
        from > 0
            && from < text.length()
            && Character.isLowSurrogate(text.charAt(from))
            && Character.isHighSurrogate(text.charAt(from - 1));
    return within ? from + 1 : from;
  }

  /** Returns how many UTF-16 units are kept. */
  int length() {
    return head.length() + tail.length();
  }

  /** Puts it into an object; of a text that is whole, without size and hash. */
  void putInto(ObjectNode object) {
    object.put("text", head);
    if (isCut) {
      object.put("tail", tail).put("bytes", bytes).put("sha256", sha256);
    }
  }
}

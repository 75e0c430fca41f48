package dev.bridle.host.acp;

/**
 * The fingerprint of a text that comes in pieces, without its blanks, which agents trim. No secret:
 * it is only told whether two texts are the same.
 *
 * @param length how many characters there were
 * @param hash of all of them
 * @param start of the first ones, by which most texts are told apart before they are whole
 */
record TextPrint(int length, long hash, int start) {
  static final TextPrint EMPTY = new TextPrint(0, 0xcbf29ce484222325L, 0);

  private static final int START = 32;
  private static final long PRIME = 0x100000001b3L;

  static TextPrint of(String text) {
    return EMPTY.plus(text);
  }

  TextPrint plus(String text) {
    int more = length;
    long mixed = hash;
    int first = start;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isWhitespace(c)) {
        mixed = (mixed ^ c) * PRIME;
        more++;
        if (more == START) {
          first = (int) (mixed ^ (mixed >>> Integer.SIZE));
        }
      }
    }
    return new TextPrint(more, mixed, first);
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Whether this may be the beginning of another text, and is not all of it. */
  boolean begins(TextPrint other) {
    return length < other.length && (length < START || start == other.start);
  }
}

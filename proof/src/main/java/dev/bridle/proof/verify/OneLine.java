package dev.bridle.proof.verify;

/** Text that may quote a receipt, as part of one printed line. */
public final class OneLine {
  private OneLine() {}

  /**
   * Returns a text in which control and format characters, line separators and lone surrogates are
   * replaced by a backslash, {@code u} and the hexadecimal code point in braces, so that quoted
   * content cannot look like a line of its own.
   */
  public static String of(String text) {
    if (text.codePoints().noneMatch(OneLine::isEscaped)) {
      return text;
    }
    StringBuilder line = new StringBuilder();
    text.codePoints()
        .forEach(
            point -> {
              if (isEscaped(point)) {
                line.append("\\u{").append(Integer.toHexString(point)).append('}');
              } else {
                line.appendCodePoint(point);
              }
            });
    return line.toString();
  }

  private static boolean isEscaped(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}

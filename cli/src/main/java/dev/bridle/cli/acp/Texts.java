package dev.bridle.cli.acp;

/** How texts are cut and set apart for an editor, which shows Markdown. */
final class Texts {
  private static final int SHORTEST_FENCE = 3;

  private Texts() {}

  /** Cuts a text between characters, and says so. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "…";
  }

  /** Returns a text as a block that shows each of its characters, and that it can't end itself. */
  static String fenced(String text) {
    int longest = SHORTEST_FENCE - 1;
    int run = 0;
    for (int i = 0; i < text.length(); i++) {
      run = text.charAt(i) == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    String fence = "`".repeat(longest + 1);
    return fence + "\n" + text + (text.endsWith("\n") ? "" : "\n") + fence;
  }
}

package dev.bridle.host.task;

/** What an agent says in a turn, cut where it is very long. */
final class SpokenText {
  private static final int MOST = 60_000;

  /** What it has said since its last tool call. */
  private final StringBuilder answer = new StringBuilder();

  /** What it has said since its last message of the session. */
  private final StringBuilder message = new StringBuilder();

  void say(String text) {
    if (answer.length() < MOST) {
      answer.append(text);
    }
    if (message.length() < MOST) {
      message.append(text);
    }
  }

  /** What the agent says before and after a tool call are two things. */
  void beginCall() {
    answer.setLength(0);
    if (message.length() > 0 && !message.toString().endsWith("\n\n")) {
      message.append("\n\n");
    }
  }

  /** Returns what it has said since its last tool call. */
  String answer() {
    return KeptText.of(answer.toString(), MOST); // One piece may be longer than all may be.
  }

  /** Returns what it has said since this was called last. */
  String takeMessage() {
    String text = KeptText.of(message.toString().strip(), MOST);
    message.setLength(0);
    return text;
  }
}

package dev.bridle.host.task;

import dev.bridle.worker.SaidMessage;
import dev.bridle.worker.TaskContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What was said in a session before an agent came that remembers nothing of it. */
final class EarlierWords {
  private static final int MOST_MESSAGES = 100;

  /** What an agent is told at most, in characters; the newest count most. */
  private static final int MOST = 24_000;

  private static final int MOST_OF_ONE = 6_000;

  private EarlierWords() {}

  /** Returns the newest messages of the task's session, oldest first, each with who said it. */
  static List<String> of(TaskContext task) {
    List<SaidMessage> said = new ArrayList<>(task.transcript(MOST_MESSAGES));
    Collections.reverse(said);
    List<String> newest = new ArrayList<>();
    int length = 0;
    for (SaidMessage message : said) {
      String text = message.text().strip();
      if (text.isEmpty()) {
        continue;
      }
      String one = role(message) + ":\n" + quoted(KeptText.of(text, MOST_OF_ONE));
      length += one.length();
      if (length > MOST) {
        break;
      }
      newest.add(one);
    }
    Collections.reverse(newest);
    return newest;
  }

  private static String role(SaidMessage message) {
    String name = message.role().toLowerCase(Locale.ROOT);
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  /** Quoted line by line, a text can't go on as somebody else's, or as what is to be done. */
  private static String quoted(String text) {
    return text.lines().map(line -> "> " + line).collect(Collectors.joining("\n"));
  }

  /** Returns a prompt with what was said before it; the prompt alone if nothing was. */
  static String before(List<String> said, String prompt) {
    return said.isEmpty()
        ? prompt
        : "You do not remember this session. What was said in it before, oldest first, each line"
            + " behind '>':\n\n"
            + String.join("\n\n", said)
            + "\n\nEnd of what was said before. What to do now:\n\n"
            + prompt;
  }
}

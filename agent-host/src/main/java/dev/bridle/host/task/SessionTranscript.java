package dev.bridle.host.task;

import dev.bridle.worker.SaidMessage;
import dev.bridle.worker.TaskContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Puts the transcript of a session before the prompt of an agent that has not seen it. */
final class SessionTranscript {
  private static final int MAX_MESSAGES = 100;

  /** The maximum length in characters; the oldest messages are left out. */
  private static final int MAX_LENGTH = 24_000;

  private static final int MAX_MESSAGE_LENGTH = 6_000;

  private SessionTranscript() {}

  /** Returns the newest messages of the task's session, oldest first, each with its role. */
  static List<String> messages(TaskContext task) {
    List<SaidMessage> said = new ArrayList<>(task.transcript(MAX_MESSAGES));
    Collections.reverse(said);
    List<String> newest = new ArrayList<>();
    int length = 0;
    for (SaidMessage message : said) {
      String text = message.text().strip();
      if (text.isEmpty()) {
        continue;
      }
      String one = role(message) + ":\n" + quoted(KeptText.of(text, MAX_MESSAGE_LENGTH));
      length += one.length();
      if (length > MAX_LENGTH) {
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

  /** Quotes each line, so that no text reads as another message or as the prompt. */
  private static String quoted(String text) {
    return text.lines().map(line -> "> " + line).collect(Collectors.joining("\n"));
  }

  /** Returns the prompt with the messages before it; the prompt alone if there are none. */
  static String prepend(List<String> messages, String prompt) {
    return messages.isEmpty()
        ? prompt
        : "You do not remember this session. What was said in it before, oldest first, each line"
            + " behind '>':\n\n"
            + String.join("\n\n", messages)
            + "\n\nEnd of what was said before. What to do now:\n\n"
            + prompt;
  }
}

package dev.bridle.host.acp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Writes down what a listener is told, in short lines. */
public final class Diary implements SessionListener {
  public final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private final BlockingQueue<Question> questions = new LinkedBlockingQueue<>();

  @Override
  public void update(SessionUpdate update) {
    lines.add(line(update));
  }

  private static String line(SessionUpdate update) {
    if (update instanceof SessionUpdate.Text text) {
      return text.voice() + " " + text.messageId() + "@" + text.offset() + " " + text.text();
    }
    if (update instanceof SessionUpdate.Content content) {
      return content.voice() + " " + content.messageId() + " " + content.block();
    }
    if (update instanceof SessionUpdate.Tool tool) {
      ToolCall call = tool.call();
      return "tool %s '%s' %s %s%s%s"
          .formatted(
              call.id(),
              call.title(),
              call.kind(),
              call.status(),
              tool.first() ? " first" : "",
              tool.statusChanged() ? " changed" : "");
    }
    if (update instanceof SessionUpdate.Plan plan) {
      return "plan " + plan.entries();
    }
    if (update instanceof SessionUpdate.Commands commands) {
      return "commands " + commands.commands();
    }
    if (update instanceof SessionUpdate.Mode mode) {
      return "mode " + mode.modeId();
    }
    if (update instanceof SessionUpdate.ConfigOptions options) {
      return "options " + options.options();
    }
    if (update instanceof SessionUpdate.Usage usage) {
      return String.format(
          Locale.ROOT,
          "usage %d of %d %s",
          usage.used(),
          usage.size(),
          usage.cost().map(cost -> cost.amount() + " " + cost.currency()).orElse("free"));
    }
    SessionUpdate.Other other = (SessionUpdate.Other) update;
    return "other " + other.variant() + " " + other.update();
  }

  @Override
  public void question(Question question) {
    lines.add("question " + question.toolCallId());
    questions.add(question);
  }

  /** Waits for the next question. */
  public Question asked() throws InterruptedException {
    Question question = questions.poll(60, TimeUnit.SECONDS);
    if (question == null) {
      throw new AssertionError("No question came; seen: " + lines);
    }
    return question;
  }

  @Override
  public void questionClosed(Question question) {
    lines.add("closed question " + question.toolCallId());
  }

  @Override
  public void closed(String why) {
    lines.add("closed: " + why);
  }
}

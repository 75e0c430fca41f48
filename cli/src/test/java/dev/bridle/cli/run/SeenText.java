package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** What came to a terminal, waited for in its order. */
final class SeenText {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final StringBuilder seen = new StringBuilder();
  private int read;

  void add(String text) {
    synchronized (seen) {
      seen.append(text);
    }
  }

  /** Waits for a text after those that were waited for before. */
  void expect(String text) {
    await(text)
        .atMost(PATIENCE)
        .conditionEvaluationListener(none -> {})
        .untilAsserted(() -> assertThat(rest()).contains(text));
    synchronized (seen) {
      read = seen.indexOf(text, read) + text.length();
    }
  }

  /** Waits as {@link #expect} does, and returns what came until the end of the text. */
  String until(String text) {
    int from = read;
    expect(text);
    synchronized (seen) {
      return seen.substring(from, read);
    }
  }

  /** Returns what was not waited for yet. */
  String rest() {
    synchronized (seen) {
      return seen.substring(read);
    }
  }

  String all() {
    synchronized (seen) {
      return seen.toString();
    }
  }
}

package dev.bridle.cli.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the server has acknowledged, and so must never lose. */
final class Ledger {
  private final Map<String, Submission> tasks = new ConcurrentHashMap<>();
  private final Map<String, String> messages = new ConcurrentHashMap<>();
  private final Map<String, String> ends = new ConcurrentHashMap<>();

  /**
   * A task that was acknowledged.
   *
   * @param session its session
   * @param key its idempotency key
   * @param body what was submitted
   */
  record Submission(String session, String key, JsonNode body) {}

  void submitted(String task, Submission submission) {
    tasks.put(task, submission);
  }

  void said(String message, String session) {
    messages.put(message, session);
  }

  /** An answer showed the task in a terminal state, which is final. */
  void ended(String task, String status) {
    ends.put(task, status);
  }

  Map<String, Submission> tasks() {
    return Map.copyOf(tasks);
  }

  Map<String, String> messages() {
    return Map.copyOf(messages);
  }

  Map<String, String> ends() {
    return Map.copyOf(ends);
  }
}

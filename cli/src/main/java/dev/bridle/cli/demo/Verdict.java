package dev.bridle.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.rest.StreamEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the results of the demonstration and prints each check. */
final class Verdict {
  private final Narrator narrator;
  private boolean good = true;

  Verdict(Narrator narrator) {
    this.narrator = narrator;
  }

  boolean passed() {
    return good;
  }

  void check(String text, boolean holds) {
    narrator.check(text, holds);
    good &= holds;
  }

  /** Checks the history against the events that the reader received before the kill and overall. */
  void events(List<StreamEvent> before, List<StreamEvent> read, List<JsonNode> history) {
    List<String> ids = history.stream().map(event -> event.path("id").asText()).toList();
    List<String> seen = read.stream().map(StreamEvent::id).toList();
    check(
        "all " + before.size() + " events seen before the kill are still there, in the same order",
        ids.size() >= before.size()
            && ids.subList(0, before.size()).equals(before.stream().map(StreamEvent::id).toList()));
    check(
        "the resumed stream delivered each of the " + ids.size() + " events once, and in order",
        seen.equals(ids));
    check("sequences of the session and of each task have no gaps and start at 0", dense(history));
  }

  /** Returns whether the sequence numbers of each resource are 0, 1, 2 … without a gap. */
  static boolean dense(List<JsonNode> history) {
    Map<String, Long> next = new HashMap<>();
    boolean dense = true;
    for (JsonNode event : history) {
      String resource = event.at("/resource/object").asText() + event.at("/resource/id").asText();
      long expected = next.getOrDefault(resource, 0L);
      dense &= event.path("sequence").asLong(-1) == expected;
      next.put(resource, expected + 1);
    }
    return dense;
  }

  /** Checks that a task completed exactly once. */
  void completed(Job job, String what, String task) {
    List<JsonNode> outcomes = job.outcomes(task);
    check(
        what + " is COMPLETED with one outcome",
        job.status(task).equals("COMPLETED")
            && outcomes.size() == 1
            && outcomes.get(0).path("status").asText().equals("SUCCEEDED"));
  }
}

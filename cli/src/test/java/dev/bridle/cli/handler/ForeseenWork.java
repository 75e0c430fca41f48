package dev.bridle.cli.handler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.handler.LinkedWork.Kind;
import dev.bridle.cli.handler.LinkedWork.Node;
import dev.bridle.fixtures.client.Json;
import dev.bridle.worker.TaskFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What {@link LinkedWork} does: in its task, or in a replay of that with other values. */
final class ForeseenWork implements LinkedWork.Ground {
  private final LinkedWork work;
  private final Optional<ForeseenWork> original;
  private final Map<String, Long> overrides;
  private final Map<String, String> inputHashes = new TreeMap<>();
  private final Map<String, String> reports = new TreeMap<>();
  private final Map<String, String> broken = new TreeMap<>();
  private String status = "COMPLETED";
  private String summary = "";

  /** A step that the record does not answer. */
  private static final class Unanswered extends Exception {
    private static final long serialVersionUID = 1;
  }

  private ForeseenWork(
      LinkedWork work, Optional<ForeseenWork> original, Map<String, Long> overrides) {
    this.work = work;
    this.original = original;
    this.overrides = overrides;
  }

  static ForeseenWork inTask(LinkedWork work) {
    return new ForeseenWork(work, Optional.empty(), Map.of()).done();
  }

  ForeseenWork replayedWith(Map<String, Long> values) {
    return new ForeseenWork(work, Optional.of(this), values).done();
  }

  private ForeseenWork done() {
    List<OptionalLong> values = new ArrayList<>();
    for (Node node : work.nodes()) {
      values.add(value(node, values));
    }
    try {
      summary = LinkedWork.end(values.stream().mapToLong(value -> value.orElse(0)).sum());
    } catch (TaskFailure e) {
      status = "FAILED";
    }
    return this;
  }

  /** Returns the value of a node; empty if it is not come to, or not answered. */
  private OptionalLong value(Node node, List<OptionalLong> earlier) {
    if (node.inputs().stream().anyMatch(from -> earlier.get(from).isEmpty())) {
      return OptionalLong.empty();
    }
    long input = node.inputs().stream().mapToLong(from -> earlier.get(from).getAsLong()).sum();
    try {
      return OptionalLong.of(LinkedWork.act(node, input, this));
    } catch (Unanswered e) {
      return OptionalLong.empty();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long value(String key, String inputHash, int failures) throws Unanswered {
    boolean answered =
        original
            .map(
                task ->
                    task.inputHashes.containsKey(key)
                        && (overrides.containsKey(key)
                            || task.inputHashes.get(key).equals(inputHash)))
            .orElse(true);
    if (!answered) {
      boolean recorded = original.orElseThrow().inputHashes.containsKey(key);
      broken.put(key, recorded ? "replay_diverged" : "replay_unavailable");
      throw new Unanswered();
    }
    inputHashes.put(key, inputHash);
    return overrides.getOrDefault(key, work.made(key));
  }

  @Override
  public void report(Kind kind, String key, long content) {
    reports.put(key, kind + " " + content);
  }

  String status() {
    return status;
  }

  /** Returns the keys of the values that it takes. */
  Set<String> values() {
    return inputHashes.keySet();
  }

  /** Returns the codes of the steps at which it breaks, since the record does not answer them. */
  Map<String, String> broken() {
    return broken;
  }

  /** Returns what differs from the task, as the segment of a replay says it. */
  ObjectNode differences() {
    ForeseenWork task = original.orElseThrow();
    Set<String> changed = new TreeSet<>(reports.keySet());
    changed.removeIf(
        key -> reports.get(key).equals(task.reports.getOrDefault(key, reports.get(key))));
    Set<String> added = new TreeSet<>(reports.keySet());
    added.removeAll(task.reports.keySet());
    Set<String> notTaken = new TreeSet<>(task.reports.keySet());
    notTaken.addAll(task.values());
    notTaken.removeAll(reports.keySet());
    notTaken.removeAll(values());
    ObjectNode differences = Json.object();
    fill(differences.putArray("added"), added);
    fill(differences.putArray("changed"), changed);
    fill(differences.putArray("not_taken"), notTaken);
    differences.put("count", added.size() + changed.size() + notTaken.size());
    if (!status.equals(task.status)) {
      differences.put("end", "final_state");
    } else if (!summary.equals(task.summary)) {
      differences.put("end", "summary");
    }
    return differences;
  }

  private static void fill(ArrayNode list, Set<String> keys) {
    keys.forEach(list::add);
  }
}

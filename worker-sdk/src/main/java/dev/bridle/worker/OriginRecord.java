package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.worker.v1.ListStepsRequest;
import dev.bridle.worker.v1.ListStepsResponse;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReplayedStep;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the replayed task has recorded, as the core lists it for a replay. Not thread-safe. */
final class OriginRecord {
  /** Nothing. */
  static final OriginRecord EMPTY = new OriginRecord();

  private final Map<String, Entry> steps = new TreeMap<>();
  private final Map<String, Deque<JsonNode>> failures = new HashMap<>();

  private OriginRecord() {}

  /** A recorded step, and what a replay has to know of it. */
  record Entry(RecordedStep step, ReplayedStep how) {}

  /** Reads all steps of the task whose replay the lease is about. */
  static OriginRecord load(LeaseHold hold, CoreCalls core) {
    OriginRecord origin = new OriginRecord();
    ListStepsRequest.Builder request = ListStepsRequest.newBuilder().setTaskId(hold.taskId());
    List<Entry> failed = new ArrayList<>();
    ListStepsResponse page;
    do {
      page = core.call(hold, stub -> stub.listSteps(request.setFence(hold.fence()).build()));
      for (int i = 0; i < page.getStepsCount(); i++) {
        origin.add(new Entry(page.getSteps(i), page.getReplayed(i)), failed);
        request.setAfterStepKey(page.getSteps(i).getStepKey());
      }
    } while (page.getHasMore() && page.getStepsCount() > 0);
    failed.sort(Comparator.comparingLong(entry -> entry.how().getSequence()));
    failed.stream().filter(entry -> !origin.isOfNew(entry)).forEach(origin::addFailure);
    return origin;
  }

  /** Failures of earlier runs, the last one has not seen. */
  private void add(Entry entry, List<Entry> failed) {
    if (entry.how().getFailure().isEmpty()) {
      steps.put(entry.step().getStepKey(), entry);
    } else if (!entry.how().getEarlier()) {
      failed.add(entry);
    }
  }

  /** Returns whether a failure is one of a value that is computed anew, or was within it. */
  private boolean isOfNew(Entry failed) {
    String key = Json.read(failed.how().getFailure()).path("step_key").asText();
    return find(key).filter(entry -> entry.how().getRefreshed()).isPresent()
        || find(failed.step().getParentStepKey())
            .filter(entry -> entry.how().getRefreshed())
            .isPresent();
  }

  private void addFailure(Entry entry) {
    JsonNode failure = Json.read(entry.how().getFailure());
    failures
        .computeIfAbsent(failure.path("step_key").asText(), of -> new ArrayDeque<>())
        .add(failure);
  }

  Optional<Entry> find(String stepKey) {
    return Optional.ofNullable(steps.get(stepKey));
  }

  /** Returns a step that is there. */
  Entry need(String stepKey) {
    return find(stepKey).orElseThrow();
  }

  /** Returns all steps, in the order of their keys. */
  Collection<Entry> entries() {
    return steps.values();
  }

  /** Returns whether the run computes a value anew, since no earlier one has. */
  boolean isRefreshed(String stepKey) {
    return find(stepKey)
        .map(Entry::how)
        .filter(how -> how.getRefreshed() && !how.getOverridden())
        .isPresent();
  }

  /** Takes what the next computation of a value has thrown, if it failed. */
  Optional<Exception> nextFailure(String stepKey) {
    return Optional.ofNullable(failures.get(stepKey))
        .map(Deque::pollFirst)
        .map(
            failure ->
                failure.has("code")
                    ? new TaskFailure(
                        failure.path("code").asText(), failure.path("message").asText())
                    : new RecordedFailure(stepKey, failure.path("error").asText()));
  }
}

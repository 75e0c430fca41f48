package dev.bridle.worker.replay;

import dev.bridle.worker.replay.Divergence.Kind;
import dev.bridle.worker.replay.RecordingTape.Recorded;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Answers the steps of a handler from a record, in any order, since its threads may take them in
 * any. Computes nothing.
 */
final class ReplayTape implements Tape {
  private final Map<String, Recorded> steps;
  private final Map<String, Deque<Exception>> failures = new HashMap<>();
  private final int runs;
  private Optional<byte[]> state;
  private final Set<String> taken = new HashSet<>();
  private Optional<Divergence> first = Optional.empty();

  /** Replays the last run of a record. */
  ReplayTape(RecordingTape record) {
    this.steps = record.steps();
    record.failures().forEach((key, thrown) -> failures.put(key, new ArrayDeque<>(thrown)));
    this.runs = record.run();
    this.state = record.firstState();
  }

  @Override
  public synchronized Optional<byte[]> state() {
    return state;
  }

  @Override
  public synchronized void keep(byte[] kept) {
    state = Optional.of(kept.clone());
  }

  @Override
  public synchronized Object take(TapedStep step, Callable<Object> compute) throws Exception {
    Deque<Exception> thrown = failures.getOrDefault(step.key(), new ArrayDeque<>());
    if (!thrown.isEmpty()) {
      throw thrown.removeFirst();
    }
    Recorded recorded = steps.get(step.key());
    if (recorded == null) {
      throw diverged(
          Divergence.of(Kind.UNRECORDED, step.key(), "", step.kind() + " " + step.request()));
    }
    TapedStep was = recorded.step();
    if (was.kind() != step.kind()) {
      throw diverged(Divergence.of(Kind.OTHER_KIND, step.key(), was.kind(), step.kind()));
    }
    if (!was.request().equals(step.request())) {
      throw diverged(Divergence.of(Kind.OTHER_REQUEST, step.key(), was.request(), step.request()));
    }
    taken.add(step.key());
    return recorded.result();
  }

  @Override
  public synchronized boolean has(String key) {
    Recorded recorded = steps.get(key);
    return taken.contains(key) || (recorded != null && recorded.run() < runs);
  }

  private ReplayDiverged diverged(Divergence divergence) {
    if (first.isEmpty()) {
      first = Optional.of(divergence);
    }
    return new ReplayDiverged(first.get());
  }

  /** Returns the first difference so far, also if the handler has caught it. */
  synchronized Optional<Divergence> first() {
    return first;
  }

  /**
   * Returns a step that was recorded and not taken. What was taken within the computation of a
   * value is not: a replay reads the value. Where there were several runs, it may be of another.
   */
  synchronized Optional<Divergence> missing() {
    return runs > 1
        ? Optional.empty()
        : steps.values().stream()
            .map(Recorded::step)
            .filter(step -> !taken.contains(step.key()))
            .filter(step -> step.parent().isEmpty() || !answers(step.parent()))
            .map(step -> Divergence.of(Kind.MISSING, step.key(), step.request(), ""))
            .findFirst();
  }

  private boolean answers(String parent) {
    return steps.containsKey(parent) || failures.containsKey(parent);
  }
}

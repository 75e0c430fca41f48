package dev.bridle.worker;

import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.ReplayedPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The path of a run in a replay that replaces recorded values: which of them it has taken, and what
 * it has done otherwise. Not thread-safe.
 */
final class RunPath {
  /** The maximum length of a list, which the contract declares, too. */
  private static final int MOST = 200;

  private final Map<String, RecordedStep> different = new HashMap<>();
  private final Collection<String> changed = new TreeSet<>();
  private final Collection<String> added = new TreeSet<>();
  private final Collection<String> notTaken = new TreeSet<>();
  private final Collection<String> used = new TreeSet<>();
  private final Map<String, String> artifacts = new TreeMap<>();

  /**
   * Notes a report that is not as recorded.
   *
   * @param step what the core has recorded for the replay
   * @param isRecorded whether the replayed task has a step of that key
   */
  void differs(RecordedStep step, boolean isRecorded) {
    different.put(step.getStepKey(), step);
    (isRecorded ? changed : added).add(step.getStepKey());
  }

  /** Notes a value that was computed anew. */
  void refreshed(RecordedStep step) {
    different.put(step.getStepKey(), step);
    used.add(step.getStepKey());
  }

  /** Returns what the core has recorded for the replay. */
  Optional<RecordedStep> recorded(String stepKey) {
    return Optional.ofNullable(different.get(stepKey));
  }

  void made(RecordedStep step) {
    artifacts.put(step.getStepKey(), step.getArtifact().getId());
  }

  void notTaken(String stepKey) {
    notTaken.add(stepKey);
  }

  /**
   * Notes which values of others have been taken, and which artifacts stand that the run has not
   * come to.
   */
  void ended(OriginRecord origin, Set<String> taken, RestoredPart restored) {
    for (OriginRecord.Entry entry : origin.entries()) {
      String key = entry.step().getStepKey();
      if (entry.how().getOverridden() && taken.contains(key)) {
        used.add(key);
      }
      if (restored.isUpTo(entry.how()) && entry.step().hasArtifact() && !taken.contains(key)) {
        made(entry.step());
      }
    }
  }

  /** Returns the path as the core takes it. */
  ReplayedPath summary() {
    return ReplayedPath.newBuilder()
        .addAllUsed(some(used))
        .addAllChanged(some(changed))
        .addAllAdded(some(added))
        .addAllNotTaken(some(notTaken))
        .addAllArtifactIds(some(artifacts.values()))
        .setDifferences((long) changed.size() + added.size() + notTaken.size())
        .build();
  }

  private static List<String> some(Collection<String> all) {
    return new ArrayList<>(all).subList(0, Math.min(MOST, all.size()));
  }
}

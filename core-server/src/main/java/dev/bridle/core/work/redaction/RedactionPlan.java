package dev.bridle.core.work.redaction;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.PendingContent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a redaction erases: what it names, and what has the same content. Not thread-safe. */
final class RedactionPlan {
  /** The maximum number of resources and steps, so that one transaction erases all of them. */
  static final int MAX_TARGETS = 500;

  /** The maximum number of parts of messages, whose descriptors one transaction writes. */
  private static final int MAX_PARTS = 20_000;

  private final String workspace;
  private final List<String> named;
  private final Map<String, Target> targets = new LinkedHashMap<>();
  private final Map<String, ArtifactRecord> artifacts = new HashMap<>();
  private final Set<Step> steps = new LinkedHashSet<>();
  private final Map<String, PendingContent> pending = new LinkedHashMap<>();
  private int parts;

  RedactionPlan(String workspace, List<String> named) {
    this.workspace = workspace;
    this.named = List.copyOf(named);
  }

  /**
   * A resource whose content is erased.
   *
   * @param object its kind, as {@link RedactionStore} names it
   * @param id its id
   * @param stream the stream of its events
   * @param task its task; empty if it belongs to none
   */
  record Target(String object, String id, String stream, String task) {
    String key() {
      return RedactionStore.idOf(object, id);
    }
  }

  /**
   * A step of a task whose content is erased.
   *
   * @param task the task
   * @param key the step's key
   */
  record Step(String task, String key) {}

  /** Adds a resource; returns whether it is new. */
  boolean add(Target target) {
    boolean added = targets.putIfAbsent(target.key(), target) == null;
    checkSize();
    return added;
  }

  void add(Step step) {
    steps.add(step);
    checkSize();
  }

  /** Adds a task, or the copies of a message, which are erased piece by piece afterwards. */
  void addPending(String object, String id) {
    pending.put(
        RedactionStore.idOf(object, id),
        PendingContent.newBuilder().setObject(object).setId(id).build());
  }

  /** Returns whether the copies of a message are erased piece by piece. */
  boolean erasesLater(String object, String id) {
    return pending.containsKey(RedactionStore.idOf(object, id));
  }

  /** Returns what is erased piece by piece. */
  List<PendingContent> pending() {
    return List.copyOf(pending.values());
  }

  /** Adds parts of messages, for each of which a descriptor is written. */
  void addParts(int count) {
    parts += count;
    checkSize();
  }

  private void checkSize() {
    if (targets.size() + steps.size() > MAX_TARGETS || parts > MAX_PARTS) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
              "The items and what has the same content are too many for one redaction; name fewer, or"
                  + " the whole task.")
          .with("max_resources", MAX_TARGETS)
          .blaming("items");
    }
  }

  /** Adds the record of an artifact, which must not change before the plan is carried out. */
  void add(ArtifactRecord record) {
    artifacts.put(record.getArtifact().getId(), record);
  }

  /** Returns the records of the artifacts, as the plan is based on them. */
  Map<String, ArtifactRecord> artifacts() {
    return Map.copyOf(artifacts);
  }

  /** Returns the workspace of everything. */
  String workspace() {
    return workspace;
  }

  /** Returns the keys of what the request named, of which the rest are copies and parts. */
  List<String> named() {
    return named;
  }

  boolean contains(String object, String id) {
    return targets.containsKey(RedactionStore.idOf(object, id));
  }

  List<Target> targets() {
    return List.copyOf(targets.values());
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  /** Signals that content was added to what a plan covers before it was carried out. */
  static final class Outdated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Outdated() {
      super("the plan is outdated", null, false, false);
    }
  }
}

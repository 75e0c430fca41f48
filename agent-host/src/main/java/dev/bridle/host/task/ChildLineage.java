package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.rpc.BadJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a runtime says of a child that it has handed work to, by the same names however it spells
 * them: beside the variant, in {@code content}, or among Harn's extensions.
 */
final class ChildLineage {
  private static final int MOST_TEXT = 1000;
  private static final List<String> PLACES = List.of("", "/metadata", "/lifecycle", "/audit");

  /** Where each member may be, the first that is there counts. */
  private static final Map<String, List<String>> MEMBERS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("worker_id", List.of("workerId", "worker_id")),
              Map.entry("worker_name", List.of("workerName", "worker_name", "target")),
              Map.entry("task", List.of("workerTask", "task", "summary")),
              Map.entry("mode", List.of("workerMode", "mode")),
              Map.entry("stage", List.of("event")),
              Map.entry("status", List.of("status")),
              Map.entry("run_id", List.of("childRunId", "child_run_id", "run_id")),
              Map.entry("run_path", List.of("childRunPath", "child_run_path", "run_path")),
              Map.entry("snapshot_path", List.of("snapshotPath", "snapshot_path")),
              Map.entry("parent_session_id", List.of("parentSessionId", "session_id")),
              Map.entry("started_at", List.of("startedAt", "started_at")),
              Map.entry("finished_at", List.of("finishedAt", "finished_at"))));

  private ChildLineage() {}

  /** Returns the members that are there, all texts of the runtime's own; empty if there is none. */
  static Optional<ObjectNode> of(SessionUpdate.Other update) {
    JsonNode whole;
    try {
      whole = update.update().json();
    } catch (BadJson e) {
      return Optional.empty();
    }
    ObjectNode child = JsonNodeFactory.instance.objectNode();
    MEMBERS.forEach(
        (member, names) -> text(whole, names).ifPresent(found -> child.put(member, found)));
    return Optional.of(child).filter(found -> !found.isEmpty());
  }

  private static Optional<String> text(JsonNode whole, List<String> names) {
    return Stream.of(whole, whole.path("content"), whole.at("/_meta/harn"))
        .flatMap(
            part ->
                names.stream()
                    .flatMap(name -> PLACES.stream().map(place -> part.at(place + "/" + name))))
        .filter(JsonNode::isTextual)
        .map(found -> KeptText.of(found.textValue(), MOST_TEXT))
        .findFirst();
  }
}

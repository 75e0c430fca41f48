package dev.bridle.core.work.redaction;

import com.google.protobuf.ByteString;
import dev.bridle.api.v1.ResourcePointer;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.work.redaction.RedactionPlan.Target;
import dev.bridle.redaction.v1.Redaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Emits that content was redacted: one event for each session, which lists all of it, and {@code
 * artifact.redacted} for each artifact. Tasks have ended, so none belongs to a task.
 */
final class RedactionEvents {
  private final Events events;

  RedactionEvents(CoreContext context) {
    this.events = context.events();
  }

  void emit(Write write, Redaction redaction, List<Target> erased) {
    Map<String, List<Target>> byStream =
        erased.stream()
            .collect(
                Collectors.groupingBy(Target::stream, LinkedHashMap::new, Collectors.toList()));
    byStream.forEach((stream, targets) -> emit(write, redaction, stream, targets));
  }

  private void emit(Write write, Redaction redaction, String stream, List<Target> targets) {
    // An artifact of no session has a stream of its own.
    boolean ofSession =
        targets.stream()
            .noneMatch(
                target ->
                    target.object().equals(RedactionStore.ARTIFACT) && target.id().equals(stream));
    for (Target target : targets) {
      if (target.object().equals(RedactionStore.ARTIFACT)) {
        var unused =
            events.ofResource(
                write,
                redaction.getWorkspaceId(),
                ofSession ? stream : "",
                RedactionStore.ARTIFACT,
                target.id(),
                stream,
                EventDraft.of(
                    EventKinds.ARTIFACT_REDACTED,
                    facts(redaction)
                        .text("artifact_id", target.id())
                        .text("task_id", target.task())));
      }
    }
    if (ofSession) {
      var unused =
          events.ofSession(
              write,
              redaction.getWorkspaceId(),
              stream,
              EventDraft.of(
                  EventKinds.CONTENT_REDACTED,
                  facts(redaction).json("resources", pointers(targets))));
    }
  }

  private static Payload facts(Redaction redaction) {
    return Payload.of()
        .text("redaction_id", redaction.getId())
        .text("reason", redaction.getReason());
  }

  private static ByteString pointers(List<Target> targets) {
    return ResourceJson.list(
        targets.stream()
            .map(
                target ->
                    ResourcePointer.newBuilder()
                        .setObject(target.object())
                        .setId(target.id())
                        .build())
            .toList());
  }
}

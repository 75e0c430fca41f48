package dev.bridle.host.task;

import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.acp.SessionUpdate.Voice;
import dev.bridle.worker.CallRefused;
import dev.bridle.worker.TaskContext;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Images and the like that an agent shows, which become artifacts of its task. */
final class Attachments {
  private static final String MIME_TYPE = "[\\w.+-]{1,100}/[\\w.+-]{1,100}";
  private static final String ANY_BYTES = "application/octet-stream";

  private Attachments() {}

  /** Returns those of an update. A thought has none, since it is nothing that people ask for. */
  static List<AttachedBytes> of(SessionUpdate update, KeptContent kept) {
    if (update instanceof SessionUpdate.Content content && content.voice() == Voice.AGENT) {
      return kept.attachments(Stream.of(ContentBlock.of(content.block())));
    }
    boolean ended =
        update instanceof SessionUpdate.Tool tool && tool.statusChanged() && tool.call().over();
    return ended
        ? kept.attachments(
            StreamSupport.stream(
                    ((SessionUpdate.Tool) update).call().content().spliterator(), false)
                .map(part -> new ContentBlock(part.path("content"))))
        : List.of();
  }

  /** Keeps bytes as an artifact; waits for the core. */
  static void keep(TaskContext task, String key, AttachedBytes bytes) {
    String type = bytes.mimeType().matches(MIME_TYPE) ? bytes.mimeType() : ANY_BYTES;
    try {
      var unused = task.artifact(key, ArtifactKind.ARTIFACT_KIND_FILE, type, bytes.content());
    } catch (CallRefused e) {
      // What an agent shows is not worth its task; its size and hash are kept.
    }
  }
}

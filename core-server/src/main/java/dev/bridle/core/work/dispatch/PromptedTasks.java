package dev.bridle.core.work.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.api.v1.Visibility;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.core.work.task.TaskStore;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.task.v1.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What users said as the member {@code text} of a task's JSON input, which is no message of the
 * session.
 */
final class PromptedTasks {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** How many tasks one call reads; others count. */
  private static final int MAX_LOOKED_AT = 200;

  private final TaskStore tasks;

  PromptedTasks(TaskStore tasks) {
    this.tasks = tasks;
  }

  /**
   * A message with its place in the order of the session.
   *
   * @param place the position of its event
   * @param message the message
   */
  record Said(LogPosition place, Message message) {}

  /**
   * Returns what was said so in the newest tasks of a session that have ended, newest first, each
   * as a message without an id.
   *
   * @param hidden what truncations hide
   */
  List<Said> newest(ReadTransaction tr, String tenant, String session, Pages.Gaps hidden) {
    List<Said> said = new ArrayList<>();
    for (IndexRow row : tasks.rowsOfSession(tr, tenant, session, MAX_LOOKED_AT)) {
      if (hidden.endOf(row.place()).isPresent()) {
        continue;
      }
      tasks
          .find(tr, tenant, row.id())
          .filter(record -> TaskLifecycle.terminal(record.getTask().getStatus()))
          .flatMap(record -> message(tr, tenant, record))
          .ifPresent(message -> said.add(new Said(row.place(), message)));
    }
    return said;
  }

  private Optional<Message> message(ReadTransaction tr, String tenant, TaskRecord record) {
    Task task = tasks.resource(tr, tenant, record);
    if (!task.getInput().hasJson()) {
      return Optional.empty();
    }
    String text = text(task.getInput().getJson().toByteArray());
    return text.isBlank()
        ? Optional.empty()
        : Optional.of(
            Message.newBuilder()
                .setRole(Role.ROLE_USER)
                .setSessionId(task.getSessionId())
                .setTaskId(task.getId())
                .setWorkspaceId(task.getWorkspaceId())
                .setCreatedAt(task.getCreatedAt())
                .setUpdatedAt(task.getCreatedAt())
                .addParts(
                    Part.newBuilder()
                        .setText(
                            TextPart.newBuilder()
                                .setText(text)
                                .setVisibility(Visibility.VISIBILITY_PUBLIC)))
                .build());
  }

  private static String text(byte[] input) {
    try {
      JsonNode text = MAPPER.readTree(input).path("text");
      return text.isTextual() ? text.textValue() : "";
    } catch (IOException e) {
      throw new IllegalStateException("a stored input is no JSON", e);
    }
  }
}

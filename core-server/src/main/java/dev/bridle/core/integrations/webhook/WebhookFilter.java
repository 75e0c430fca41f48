package dev.bridle.core.integrations.webhook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import dev.bridle.core.work.task.TaskLifecycle;
import dev.bridle.event.v1.Event;
import dev.bridle.webhook.v1.Webhook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Function;

/** Decides which events a webhook sends. */
final class WebhookFilter {
  private static final JsonFactory JSON = new JsonFactory();

  private WebhookFilter() {}

  /**
   * Returns whether a webhook sends an event. Those of replays are history, which was sent before.
   *
   * @param personas returns the persona of a task
   */
  static boolean matches(
      Webhook webhook, Event event, Function<String, Optional<String>> personas) {
    return !event.getReplayed()
        && event.getWorkspaceId().equals(webhook.getWorkspaceId())
        && matchesKind(webhook, event.getEvent())
        && matchesStatus(webhook, event)
        && (!webhook.hasPersonaId()
            || (event.hasTaskId()
                && personas.apply(event.getTaskId()).equals(Optional.of(webhook.getPersonaId()))));
  }

  private static boolean matchesKind(Webhook webhook, String kind) {
    return webhook.getEventKindsCount() == 0
        || webhook.getEventKindsList().stream()
            .anyMatch(
                wanted ->
                    wanted.endsWith("*")
                        ? kind.startsWith(wanted.substring(0, wanted.length() - 1))
                        : kind.equals(wanted));
  }

  private static boolean matchesStatus(Webhook webhook, Event event) {
    if (webhook.getTaskStatusesCount() == 0) {
      return true;
    }
    if (!event.getEvent().startsWith("task.")) {
      return false;
    }
    String status = text(event.getPayload(), "status");
    return webhook.getTaskStatusesList().stream()
        .anyMatch(wanted -> TaskLifecycle.spell(wanted).equals(status));
  }

  /** Returns a text member of an event's payload; empty if there is none. */
  static String text(ByteString payload, String member) {
    try (JsonParser json = JSON.createParser(payload.newInput())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return "";
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean found = json.currentName().equals(member);
        JsonToken value = json.nextToken();
        if (found) {
          return value == JsonToken.VALUE_STRING ? json.getText() : "";
        }
        json.skipChildren();
      }
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

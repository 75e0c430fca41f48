package dev.bridle.core.integrations.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ResourcePointer;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.kernel.outbound.OutboundUrl;
import dev.bridle.event.v1.Event;
import dev.bridle.task.v1.Task;
import dev.bridle.webhook.v1.Webhook;
import dev.bridle.webhook.v1.WebhookDelivery;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Builds the body of a delivery.
 *
 * @param webhook the webhook
 * @param delivery the delivery
 * @param event the event
 * @param task the event's task in its current state
 * @param publicUrl the server's public URL, if known
 */
record WebhookBody(
    Webhook webhook,
    WebhookDelivery delivery,
    Event event,
    Optional<Task> task,
    Optional<String> publicUrl) {
  /** The kind of a test delivery, which has no event. */
  static final String TEST = "vendor.bridle.webhook_test";

  private static final JsonFactory JSON = new JsonFactory();
  private static final int LONGEST_TEXT = 2000;

  /** Returns the event of a test delivery. */
  static Event test(WebhookDelivery delivery, Webhook webhook) {
    return Event.newBuilder()
        .setId(delivery.getId())
        .setCreatedAt(delivery.getCreatedAt())
        .setUpdatedAt(delivery.getCreatedAt())
        .setEvent(TEST)
        .setResource(
            ResourcePointer.newBuilder()
                .setObject(WebhookStore.WEBHOOK.name())
                .setId(webhook.getId()))
        .setPayload(ByteString.copyFromUtf8("{}"))
        .setWorkspaceId(webhook.getWorkspaceId())
        .build();
  }

  /** Returns the URL that the delivery is posted to. */
  OutboundUrl url() {
    OutboundUrl url = OutboundUrl.parse(webhook.getUrl());
    return switch (webhook.getPreset()) {
      case WEBHOOK_PRESET_NTFY ->
          new OutboundUrl(url.secure(), url.host(), url.port(), root(url.path()));
      default -> url;
    };
  }

  byte[] bytes() {
    return switch (webhook.getPreset()) {
      case WEBHOOK_PRESET_NTFY -> ntfy();
      case WEBHOOK_PRESET_SLACK -> slack();
      default -> generic();
    };
  }

  private byte[] generic() {
    return written(
        out -> {
          out.writeStringField("id", delivery.getId());
          out.writeStringField("type", event.getEvent());
          out.writeStringField("created_at", Timestamps.toString(event.getCreatedAt()));
          out.writeStringField("webhook_id", webhook.getId());
          raw(out, "event", ResourceJson.whole(event));
          if (task.isPresent()) {
            raw(out, "task", ResourceJson.whole(task.get()));
          }
        });
  }

  private byte[] ntfy() {
    boolean waits = waits();
    return written(
        out -> {
          out.writeStringField("topic", topic(OutboundUrl.parse(webhook.getUrl())).orElse(""));
          out.writeStringField("title", title());
          out.writeStringField("message", text());
          out.writeNumberField("priority", waits ? 4 : 3);
          out.writeArrayFieldStart("tags");
          out.writeString(waits ? "bell" : "robot");
          out.writeEndArray();
          if (link().isPresent()) {
            out.writeStringField("click", link().get());
          }
        });
  }

  private byte[] slack() {
    StringBuilder text =
        new StringBuilder("*").append(plain(title())).append("*\n").append(plain(text()));
    link().ifPresent(link -> text.append("\n<").append(plain(link)).append("|Open the task>"));
    return written(out -> out.writeStringField("text", text.toString()));
  }

  private boolean waits() {
    return event.getEvent().equals(EventKinds.TASK_INPUT_REQUIRED)
        || event.getEvent().equals(EventKinds.TASK_AUTH_REQUIRED);
  }

  private String title() {
    return switch (event.getEvent()) {
      case TEST -> "Bridle can reach you";
      case EventKinds.TASK_INPUT_REQUIRED -> "A task asks you something";
      case EventKinds.TASK_AUTH_REQUIRED -> "A task asks for your approval";
      case EventKinds.TASK_COMPLETED -> "A task is done";
      case EventKinds.TASK_FAILED -> "A task has failed";
      case EventKinds.TASK_CANCELED -> "A task was canceled";
      default -> event.getEvent();
    };
  }

  private String text() {
    for (String member : new String[] {"prompt", "summary", "reason", "message"}) {
      String value = WebhookFilter.text(event.getPayload(), member);
      if (!value.isBlank()) {
        return cut(value);
      }
    }
    return event.getEvent().equals(TEST)
        ? "This is a test of the webhook " + webhook.getId() + "."
        : event.getResource().getObject() + " " + event.getResource().getId();
  }

  private static String cut(String text) {
    return text.codePointCount(0, text.length()) <= LONGEST_TEXT
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST_TEXT - 1)) + "…";
  }

  private Optional<String> link() {
    return publicUrl
        .filter(url -> event.hasTaskId())
        .map(url -> url + "/v1/tasks/" + event.getTaskId());
  }

  /** Escapes the three characters that have a meaning in Slack's markup. */
  private static String plain(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Returns the ntfy topic, which is the last segment of a URL. */
  static Optional<String> topic(OutboundUrl url) {
    String path = withoutQuery(url.path());
    return Optional.of(path.substring(path.lastIndexOf('/') + 1))
        .filter(topic -> topic.matches("[-_A-Za-z0-9]{1,64}"));
  }

  private static String root(String path) {
    String plain = withoutQuery(path);
    return plain.substring(0, plain.lastIndexOf('/') + 1) + path.substring(plain.length());
  }

  private static String withoutQuery(String path) {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }

  private static void raw(JsonGenerator out, String name, ByteString json) throws IOException {
    out.writeFieldName(name);
    out.writeRawValue(json.toString(UTF_8));
  }

  private interface Members {
    void to(JsonGenerator out) throws IOException;
  }

  private static byte[] written(Members members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      members.to(out);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Shows the delivery's id alone: other members may hold secrets. */
  @Override
  public String toString() {
    return "WebhookBody[" + delivery.getId() + "]";
  }
}

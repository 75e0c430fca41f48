package dev.bridle.core.integrations.webhook;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.redaction.CopyEraser;
import dev.bridle.core.work.redaction.RedactionStore;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.webhook.v1.WebhookAttempt;
import dev.bridle.webhook.v1.WebhookDelivery;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Erases the answers to deliveries of redacted events, and of the tasks that are sent with events:
 * receivers repeat in them what they were sent.
 */
final class WebhookCopies implements CopyEraser {
  private static final int ROWS_AT_ONCE = 200;

  private final WebhookDeliveryStore deliveries;

  WebhookCopies(WebhookDeliveryStore deliveries) {
    this.deliveries = deliveries;
  }

  @Override
  public Optional<ByteString> erase(
      Write write, List<RedactedResourceRecord> redacted, ByteString from) {
    Set<String> events = new HashSet<>();
    Set<String> tasks = new HashSet<>();
    for (RedactedResourceRecord one : redacted) {
      if (one.getObject().equals(RedactionStore.EVENT)) {
        events.add(one.getId());
      }
      if (!one.getTaskId().isEmpty()) {
        tasks.add(one.getTaskId());
      }
    }
    List<WebhookDeliveryRecord> page =
        deliveries.from(write.tr(), write.tenant(), from.toStringUtf8(), ROWS_AT_ONCE);
    for (WebhookDeliveryRecord record : page) {
      WebhookDelivery delivery = record.getDelivery();
      if (events.contains(delivery.getEventId()) || tasks.contains(delivery.getTaskId())) {
        deliveries.store(write, record, withoutAnswers(record));
      }
    }
    return page.size() < ROWS_AT_ONCE
        ? Optional.empty()
        : Optional.of(
            ByteString.copyFromUtf8(WebhookDeliveryStore.after(page.get(page.size() - 1))));
  }

  /** Returns a delivery without what its receiver answered. */
  static WebhookDeliveryRecord withoutAnswers(WebhookDeliveryRecord record) {
    WebhookDeliveryRecord.Builder erased = record.toBuilder();
    erased
        .getDeliveryBuilder()
        .getAttemptsBuilderList()
        .forEach(WebhookAttempt.Builder::clearAnswer);
    return erased.build();
  }
}

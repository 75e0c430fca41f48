package dev.bridle.core.integrations.webhook;

import com.google.protobuf.ByteString;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.work.redaction.CopyEraser;
import dev.bridle.core.work.redaction.ErasedAnswers.Marks;
import dev.bridle.core.work.redaction.ErasedContent;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.webhook.v1.WebhookDelivery;
import java.util.List;
import java.util.Optional;

/**
 * Erases the answers to deliveries of redacted events, and of the tasks that are sent with events:
 * receivers repeat in them what they were sent.
 */
final class WebhookCopies implements CopyEraser {
  private static final int ROWS_AT_ONCE = 100;

  private final WebhookDeliveryStore deliveries;

  WebhookCopies(WebhookDeliveryStore deliveries) {
    this.deliveries = deliveries;
  }

  @Override
  public Optional<ByteString> erase(Write write, Marks marks, ByteString from) {
    List<WebhookDeliveryRecord> page =
        deliveries.from(write.tr(), write.tenant(), from.toStringUtf8(), ROWS_AT_ONCE);
    for (WebhookDeliveryRecord record : page) {
      WebhookDelivery delivery = record.getDelivery();
      if (marks.ofDelivery(delivery.getEventId(), delivery.getTaskId())) {
        deliveries.store(
            write,
            record,
            record.toBuilder().setDelivery(ErasedContent.withoutAnswers(delivery)).build());
      }
    }
    return page.size() < ROWS_AT_ONCE
        ? Optional.empty()
        : Optional.of(
            ByteString.copyFromUtf8(WebhookDeliveryStore.after(page.get(page.size() - 1))));
  }
}

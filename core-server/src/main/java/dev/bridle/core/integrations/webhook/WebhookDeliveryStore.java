package dev.bridle.core.integrations.webhook;

import com.google.protobuf.util.Timestamps;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.WebhookAgendaRecord;
import dev.bridle.record.v1.WebhookDeliveryRecord;
import dev.bridle.record.v1.WebhookLineRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.webhook.v1.WebhookDelivery;
import dev.bridle.webhook.v1.WebhookDeliveryStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Stores deliveries of webhooks. Deliveries of one line (a task, or the other resource of the
 * events) are sent in order: only the first of a line is in the agenda.
 *
 * <pre>
 * tenant / RECORD / WEBHOOK_DELIVERY, webhook/delivery        → WebhookDeliveryRecord
 * tenant / RECORD / WEBHOOK_LINE, webhook/line/place          → delivery, while it is waiting
 * tenant / RECORD / WEBHOOK_AGENDA, webhook/time/delivery     → to be sent or removed
 * </pre>
 */
public final class WebhookDeliveryStore {
  /** The definition of deliveries of webhooks. */
  public static final RecordDef<WebhookDeliveryRecord> WEBHOOK_DELIVERY =
      RecordDef.of(82, "delivery of a webhook", WebhookDeliveryRecord.parser())
          .id(record -> id(record.getDelivery().getWebhookId(), record.getDelivery().getId()))
          .refersTo("webhook", record -> record.getDelivery().getWebhookId())
          .build();

  /** The definition of when each delivery is tried next. */
  public static final RecordDef<WebhookAgendaRecord> WEBHOOK_AGENDA =
      RecordDef.of(83, "agenda of a webhook", WebhookAgendaRecord.parser())
          .id(record -> agenda(record.getWebhookId(), record.getAt(), record.getDeliveryId()))
          .refersTo(
              "delivery of a webhook", record -> id(record.getWebhookId(), record.getDeliveryId()))
          .build();

  /** The definition of the order of deliveries. */
  public static final RecordDef<WebhookLineRecord> WEBHOOK_LINE =
      RecordDef.of(84, "place in a line of a webhook", WebhookLineRecord.parser())
          .id(record -> line(record.getWebhookId(), record.getLine(), record.getPlace()))
          .refersTo(
              "delivery of a webhook", record -> id(record.getWebhookId(), record.getDeliveryId()))
          .build();

  private final RecordStore<WebhookDeliveryRecord> records;
  private final RecordStore<WebhookAgendaRecord> agenda;
  private final RecordStore<WebhookLineRecord> lines;

  WebhookDeliveryStore(KeyLayout layout) {
    this.records = WEBHOOK_DELIVERY.store(layout);
    this.agenda = WEBHOOK_AGENDA.store(layout);
    this.lines = WEBHOOK_LINE.store(layout);
  }

  Optional<WebhookDeliveryRecord> find(
      ReadTransaction tr, String tenant, String webhook, String id) {
    return records.get(tr, tenant, id(webhook, id));
  }

  /**
   * Returns up to {@code limit} deliveries of a webhook older than {@code before}, newest first.
   */
  List<WebhookDeliveryRecord> page(
      ReadTransaction tr, String tenant, String webhook, Optional<String> before, int limit) {
    return records.lastWithPrefix(
        tr, tenant, id(webhook, ""), before.map(id -> id(webhook, id)), limit);
  }

  /** Returns up to {@code limit} deliveries of all webhooks whose record ids are not before one. */
  List<WebhookDeliveryRecord> from(ReadTransaction tr, String tenant, String from, int limit) {
    return records.withPrefix(tr, tenant, "", from, limit);
  }

  /** Returns the first record id after that of a delivery. */
  static String after(WebhookDeliveryRecord record) {
    return id(record) + '\0';
  }

  /** Appends a delivery to its line. */
  void add(Write write, WebhookDeliveryRecord made) {
    boolean first = head(write, made).isEmpty();
    WebhookDeliveryRecord record = first ? scheduled(write, made, write.nowMillis()) : made;
    records.insert(write.tr(), write.tenant(), id(record), record);
    enter(write, record);
    if (first) {
      note(write, record);
    }
  }

  /** Adds a delivery that had left its line to a line of its own. */
  WebhookDeliveryRecord addAgain(
      Write write, WebhookDeliveryRecord before, WebhookDeliveryRecord again) {
    WebhookDeliveryRecord record =
        scheduled(
            write,
            again.toBuilder()
                .setLine(again.getDelivery().getId())
                .setPlace(again.getDelivery().getId())
                .build(),
            write.nowMillis());
    store(write, before, record);
    enter(write, record);
    return record;
  }

  private static WebhookDeliveryRecord scheduled(
      Write write, WebhookDeliveryRecord record, long at) {
    WebhookDeliveryRecord.Builder then = record.toBuilder().setDueAt(at);
    then.getDeliveryBuilder()
        .setNextAttemptAt(Timestamps.fromMillis(at))
        .setUpdatedAt(Timestamps.fromMillis(write.nowMillis()));
    return then.build();
  }

  /** Replaces {@code before} with a delivery, which is the first of its line if it is in one. */
  void store(Write write, WebhookDeliveryRecord before, WebhookDeliveryRecord record) {
    records.update(write.tr(), write.tenant(), id(record), before, record);
    if (before.getDueAt() != record.getDueAt()) {
      unnote(write, before);
      note(write, record);
    }
  }

  /**
   * Stores an ended delivery, and schedules the next one of its line.
   *
   * @param forgetAt when to remove the delivery, in Unix milliseconds
   */
  WebhookDeliveryRecord end(
      Write write, WebhookDeliveryRecord before, WebhookDelivery ended, long forgetAt) {
    boolean waited =
        before.getDelivery().getStatus() == WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING;
    WebhookDeliveryRecord record =
        before.toBuilder()
            .setDelivery(
                ended.toBuilder()
                    .clearNextAttemptAt()
                    .setUpdatedAt(Timestamps.fromMillis(write.nowMillis())))
            .setDueAt(forgetAt)
            .clearClaim()
            .build();
    store(write, before, record);
    if (waited) {
      lines.remove(write.tr(), write.tenant(), place(before));
      // A delivery from the middle of its line does not change the first one.
      head(write, before)
          .filter(next -> next.getDueAt() == 0)
          .ifPresent(next -> store(write, next, scheduled(write, next, write.nowMillis())));
    }
    return record;
  }

  /** Returns the first delivery of a delivery's line. */
  private Optional<WebhookDeliveryRecord> head(Write write, WebhookDeliveryRecord of) {
    String webhook = of.getDelivery().getWebhookId();
    String line = line(webhook, of.getLine(), "");
    return lines.withPrefix(write.tr(), write.tenant(), line, line, 1).stream()
        .findFirst()
        .flatMap(first -> find(write.tr(), write.tenant(), webhook, first.getDeliveryId()));
  }

  /** Returns up to {@code limit} deliveries that are due by a time, by due time. */
  List<WebhookDeliveryRecord> due(
      ReadTransaction tr, String tenant, String webhook, long now, int limit) {
    return next(tr, tenant, webhook, limit).stream()
        .filter(row -> row.getAt() <= now)
        .flatMap(row -> find(tr, tenant, webhook, row.getDeliveryId()).stream())
        .toList();
  }

  /** Returns up to {@code limit} deliveries that are due from one time to another. */
  List<WebhookDeliveryRecord> due(
      ReadTransaction tr, String tenant, String webhook, long from, long to, int limit) {
    String prefix = id(webhook, "");
    return agenda.withPrefix(tr, tenant, prefix, agenda(webhook, from, ""), limit).stream()
        .filter(row -> row.getAt() <= to)
        .flatMap(row -> find(tr, tenant, webhook, row.getDeliveryId()).stream())
        .toList();
  }

  /** Returns when the first delivery is due, in Unix milliseconds; 0 if there is none. */
  long nextAt(ReadTransaction tr, String tenant, String webhook) {
    return next(tr, tenant, webhook, 1).stream()
        .mapToLong(WebhookAgendaRecord::getAt)
        .findFirst()
        .orElse(0);
  }

  private List<WebhookAgendaRecord> next(
      ReadTransaction tr, String tenant, String webhook, int limit) {
    String prefix = id(webhook, "");
    return agenda.withPrefix(tr, tenant, prefix, prefix, limit);
  }

  /** Removes a delivery, with its rows in line and agenda. */
  void remove(Write write, WebhookDeliveryRecord record) {
    unnote(write, record);
    if (record.getDelivery().getStatus() == WebhookDeliveryStatus.WEBHOOK_DELIVERY_STATUS_WAITING) {
      lines.remove(write.tr(), write.tenant(), place(record));
    }
    records.remove(write.tr(), write.tenant(), id(record));
  }

  private void enter(Write write, WebhookDeliveryRecord record) {
    lines.insert(
        write.tr(),
        write.tenant(),
        place(record),
        WebhookLineRecord.newBuilder()
            .setWebhookId(record.getDelivery().getWebhookId())
            .setLine(record.getLine())
            .setPlace(record.getPlace())
            .setDeliveryId(record.getDelivery().getId())
            .build());
  }

  private void note(Write write, WebhookDeliveryRecord record) {
    if (record.getDueAt() != 0) {
      agenda.insert(
          write.tr(),
          write.tenant(),
          agendaOf(record),
          WebhookAgendaRecord.newBuilder()
              .setWebhookId(record.getDelivery().getWebhookId())
              .setAt(record.getDueAt())
              .setDeliveryId(record.getDelivery().getId())
              .build());
    }
  }

  private void unnote(Write write, WebhookDeliveryRecord record) {
    if (record.getDueAt() != 0) {
      agenda.remove(write.tr(), write.tenant(), agendaOf(record));
    }
  }

  private static String agendaOf(WebhookDeliveryRecord record) {
    return agenda(
        record.getDelivery().getWebhookId(), record.getDueAt(), record.getDelivery().getId());
  }

  private static String place(WebhookDeliveryRecord record) {
    return line(record.getDelivery().getWebhookId(), record.getLine(), record.getPlace());
  }

  private static String id(WebhookDeliveryRecord record) {
    return id(record.getDelivery().getWebhookId(), record.getDelivery().getId());
  }

  /** Returns the record id of a webhook's delivery. */
  public static String id(String webhook, String delivery) {
    return webhook + "/" + delivery;
  }

  /** Returns the id of a row of a webhook's agenda, which sorts by time. */
  public static String agenda(String webhook, long at, String delivery) {
    return webhook + "/" + String.format(Locale.ROOT, "%016d", at) + "/" + delivery;
  }

  /** Returns the id of a place in a line of a webhook. */
  public static String line(String webhook, String line, String place) {
    return webhook + "/" + line + "/" + place;
  }
}

package dev.bridle.core.integrations.connector;

import com.google.protobuf.ByteString;
import dev.bridle.connector.v1.Delivery;
import dev.bridle.connector.v1.DeliveryStatus;
import dev.bridle.connector.v1.IngressHeader;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.DeadLetterRecord;
import dev.bridle.record.v1.DeliveryBodyRecord;
import dev.bridle.record.v1.DeliveryKeyRecord;
import dev.bridle.record.v1.DeliveryRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Stores deliveries of connectors. The id of a key record derives from a dedupe key, so that
 * duplicates have the same id:
 *
 * <pre>
 * tenant / RECORD / DELIVERY, connector/delivery         → DeliveryRecord, in the order of receipt
 * tenant / RECORD / DELIVERY_BODY, connector/delivery    → body and headers, until processed
 * tenant / RECORD / DELIVERY_KEY, connector/hash of key  → delivery; another one for the signature
 * tenant / RECORD / DEAD_LETTER, delivery                → connector, while the delivery is a dead letter
 * DUE / DELIVERY, connector/delivery                     → when to process or remove it
 * </pre>
 */
public final class DeliveryStore {
  /** The definition of deliveries. */
  public static final RecordDef<DeliveryRecord> DELIVERY =
      RecordDef.of(61, "delivery", DeliveryRecord.parser())
          .id(record -> id(record.getDelivery().getConnectorId(), record.getDelivery().getId()))
          .refersTo("connector", record -> record.getDelivery().getConnectorId())
          .alwaysDue(DueKind.DELIVERY, DeliveryRecord::getDueAt)
          .build();

  /** The definition of bodies of deliveries. */
  public static final RecordDef<DeliveryBodyRecord> DELIVERY_BODY =
      RecordDef.of(62, "body of a delivery", DeliveryBodyRecord.parser())
          .id(record -> id(record.getConnectorId(), record.getDeliveryId()))
          .refersTo("delivery", record -> id(record.getConnectorId(), record.getDeliveryId()))
          .build();

  /** The definition of the keys by which duplicates of a delivery are recognized. */
  public static final RecordDef<DeliveryKeyRecord> DELIVERY_KEY =
      RecordDef.of(63, "key of a delivery", DeliveryKeyRecord.parser())
          .id(record -> id(record.getConnectorId(), record.getKeyHash()))
          .refersTo("delivery", record -> id(record.getConnectorId(), record.getDeliveryId()))
          .build();

  /** The definition of dead letters. */
  public static final RecordDef<DeadLetterRecord> DEAD_LETTER =
      RecordDef.of(65, "dead letter", DeadLetterRecord.parser())
          .id(DeadLetterRecord::getDeliveryId)
          .refersTo("delivery", record -> id(record.getConnectorId(), record.getDeliveryId()))
          .build();

  private final RecordStore<DeliveryRecord> records;
  private final RecordStore<DeliveryBodyRecord> bodies;
  private final RecordStore<DeliveryKeyRecord> keys;
  private final RecordStore<DeadLetterRecord> letters;
  private final DueIndex due;

  DeliveryStore(KeyLayout layout, DueIndex due) {
    this.records = DELIVERY.store(layout);
    this.bodies = DELIVERY_BODY.store(layout);
    this.keys = DELIVERY_KEY.store(layout);
    this.letters = DEAD_LETTER.store(layout);
    this.due = due;
  }

  Optional<DeliveryRecord> find(ReadTransaction tr, String tenant, String connector, String id) {
    return records.get(tr, tenant, id(connector, id));
  }

  /** Returns the delivery stored under one of these keys. */
  Optional<DeliveryRecord> known(
      ReadTransaction tr, String tenant, String connector, DeliveryKeys keys) {
    return known(tr, tenant, connector, keys.dedupe())
        .or(() -> keys.signature().flatMap(key -> known(tr, tenant, connector, key)));
  }

  private Optional<DeliveryRecord> known(
      ReadTransaction tr, String tenant, String connector, String key) {
    return keys.get(tr, tenant, keyId(connector, key))
        .flatMap(found -> find(tr, tenant, connector, found.getDeliveryId()));
  }

  Optional<DeliveryBodyRecord> body(
      ReadTransaction tr, String tenant, String connector, String id) {
    return bodies.get(tr, tenant, id(connector, id));
  }

  /**
   * Returns up to {@code limit} deliveries of a connector older than {@code before}, newest first.
   */
  List<DeliveryRecord> page(
      ReadTransaction tr, String tenant, String connector, Optional<String> before, int limit) {
    return records.lastWithPrefix(
        tr, tenant, id(connector, ""), before.map(id -> id(connector, id)), limit);
  }

  /** Returns up to {@code limit} dead letters older than {@code before}, newest first. */
  List<DeliveryRecord> deadLetters(
      ReadTransaction tr, String tenant, Optional<String> before, int limit) {
    List<String> ids =
        letters.lastWithPrefix(tr, tenant, "delivery_", before, limit).stream()
            .map(letter -> id(letter.getConnectorId(), letter.getDeliveryId()))
            .toList();
    return records.getAll(tr, tenant, ids);
  }

  void insert(Write write, DeliveryRecord record, byte[] body, List<IngressHeader> headers) {
    Delivery delivery = record.getDelivery();
    String connector = delivery.getConnectorId();
    String id = id(connector, delivery.getId());
    records.insert(write.tr(), write.tenant(), id, record);
    bodies.insert(
        write.tr(),
        write.tenant(),
        id,
        DeliveryBodyRecord.newBuilder()
            .setConnectorId(connector)
            .setDeliveryId(delivery.getId())
            .setBody(ByteString.copyFrom(body))
            .addAllHeaders(headers)
            .build());
    for (String key : keysOf(record)) {
      keys.insert(
          write.tr(),
          write.tenant(),
          keyId(connector, key),
          DeliveryKeyRecord.newBuilder()
              .setConnectorId(connector)
              .setDeliveryId(delivery.getId())
              .setKeyHash(hash(key))
              .build());
    }
    DELIVERY.schedule(due, write.tr(), write.tenant(), record);
  }

  /** Replaces {@code before} with a delivery, and schedules it for its due time. */
  void update(Write write, DeliveryRecord before, DeliveryRecord record) {
    Delivery delivery = record.getDelivery();
    String id = id(delivery.getConnectorId(), delivery.getId());
    records.update(write.tr(), write.tenant(), id, before, record);
    DELIVERY.reschedule(due, write.tr(), write.tenant(), before, record);
    if (!keepsBody(delivery.getStatus()) && keepsBody(before.getDelivery().getStatus())) {
      bodies.remove(write.tr(), write.tenant(), id);
    }
    if (isDead(record) && !isDead(before)) {
      letters.insert(
          write.tr(),
          write.tenant(),
          delivery.getId(),
          DeadLetterRecord.newBuilder()
              .setConnectorId(delivery.getConnectorId())
              .setDeliveryId(delivery.getId())
              .build());
    } else if (isDead(before) && !isDead(record)) {
      letters.remove(write.tr(), write.tenant(), delivery.getId());
    }
  }

  private static boolean isDead(DeliveryRecord record) {
    return record.getDelivery().getStatus() == DeliveryStatus.DELIVERY_STATUS_FAILED;
  }

  /** Removes a delivery. The same delivery is then accepted as a new one. */
  void remove(Write write, DeliveryRecord record) {
    Delivery delivery = record.getDelivery();
    String id = id(delivery.getConnectorId(), delivery.getId());
    records.remove(write.tr(), write.tenant(), id);
    bodies.remove(write.tr(), write.tenant(), id);
    letters.remove(write.tr(), write.tenant(), delivery.getId());
    for (String key : keysOf(record)) {
      keys.remove(write.tr(), write.tenant(), keyId(delivery.getConnectorId(), key));
    }
    DELIVERY.unschedule(due, write.tr(), write.tenant(), record);
  }

  void cancel(Write write, DueEntry entry) {
    due.cancel(write.tr(), entry);
  }

  /** Returns whether the body of a delivery with this status is kept. */
  static boolean keepsBody(DeliveryStatus status) {
    return status == DeliveryStatus.DELIVERY_STATUS_RECEIVED
        || status == DeliveryStatus.DELIVERY_STATUS_FAILED;
  }

  private static List<String> keysOf(DeliveryRecord record) {
    String dedupe = record.getDelivery().getDedupeKey();
    return record.getSignatureKey().isEmpty()
        ? List.of(dedupe)
        : List.of(dedupe, record.getSignatureKey());
  }

  private static String keyId(String connector, String key) {
    return id(connector, hash(key));
  }

  private static String hash(String key) {
    return HexFormat.of().formatHex(sha256(key.getBytes(StandardCharsets.UTF_8)));
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the record id of a connector's delivery. */
  public static String id(String connector, String delivery) {
    return connector + "/" + delivery;
  }
}

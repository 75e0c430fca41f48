package dev.bridle.core.work.redaction;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.record.Reference;
import dev.bridle.record.v1.RedactedResourceRecord;
import dev.bridle.record.v1.RedactionRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.PendingEventId;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores redactions, and which resources each has erased the content of:
 *
 * <pre>
 * tenant / RECORD / REDACTION, id                                         → RedactionRecord
 * tenant / RECORD / REDACTED_RESOURCE, object/id                          → RedactedResourceRecord
 * tenant / INDEX / REDACTED_RESOURCE, STREAM | TASK | REDACTION, …        → object/id
 * DUE / REDACTION, id                                                     → while it erases copies
 * </pre>
 */
public final class RedactionStore {
  /** The objects of redacted resources. */
  public static final String EVENT = "event";

  public static final String MESSAGE = "message";
  public static final String ARTIFACT = "artifact";

  /** What was submitted with a task. */
  public static final String TASK = "task";

  /** Everything of a task, once its redaction is done. */
  public static final String WHOLE_TASK = "whole_task";

  public static final String OUTCOME = "outcome";
  public static final String PERMISSION_REQUEST = "permission_request";
  public static final String PERMISSION_GRANT = "permission_grant";

  /** The index of the redacted resources of a stream. */
  public static final int BY_STREAM = RecordDef.BY_SESSION;

  /** The index of the redacted resources of a task. */
  public static final int BY_TASK = 3;

  /** The index of the resources of a redaction. */
  public static final int BY_REDACTION = 4;

  /** The definition of redactions. */
  public static final RecordDef<RedactionRecord> REDACTION =
      RecordDef.of(100, "redaction", RedactionRecord.parser())
          .id(record -> record.getRedaction().getId())
          .refersTo("workspace", record -> record.getRedaction().getWorkspaceId())
          .due(DueKind.REDACTION, RedactionRecord::getDueAt)
          .exported(export -> export.moved((record, tenant) -> done(record)))
          .build();

  /** The definition of redacted resources. */
  public static final RecordDef<RedactedResourceRecord> REDACTED_RESOURCE =
      RecordDef.of(101, "redacted resource", RedactedResourceRecord.parser())
          .id(RedactionStore::idOf)
          .indexed(BY_STREAM, RedactedResourceRecord::getStream)
          .indexedWhere(
              record -> !record.getTaskId().isEmpty(), BY_TASK, RedactedResourceRecord::getTaskId)
          .indexed(BY_REDACTION, RedactedResourceRecord::getRedactionId)
          .refersTo("redaction", RedactedResourceRecord::getRedactionId)
          .refersTo("task", RedactedResourceRecord::getTaskId)
          .refersBy(
              Set.of(MESSAGE, ARTIFACT, TASK, OUTCOME, "permission request", "permission grant"),
              (record, to) -> reference(record).ifPresent(to))
          .exported()
          .build();

  private final RecordStore<RedactionRecord> redactions;
  private final RecordStore<RedactedResourceRecord> resources;
  private final DueIndex due;

  public RedactionStore(KeyLayout layout) {
    this.redactions = REDACTION.store(layout);
    this.resources = REDACTED_RESOURCE.store(layout);
    this.due = new DueIndex(layout);
  }

  /** Returns the id under which a redacted resource is stored. */
  public static String idOf(String object, String id) {
    return object + "/" + id;
  }

  private static String idOf(RedactedResourceRecord record) {
    return idOf(record.getObject(), record.getId());
  }

  /**
   * Returns the record that a redacted resource is. Events are none, and grants are not exported.
   */
  private static Optional<Reference> reference(RedactedResourceRecord record) {
    return switch (record.getObject()) {
      case MESSAGE, ARTIFACT, TASK, OUTCOME ->
          Optional.of(new Reference(record.getObject(), record.getId(), false));
      case PERMISSION_REQUEST ->
          Optional.of(new Reference("permission request", record.getId(), false));
      default -> Optional.empty();
    };
  }

  /** Copies that a redaction still erased where it was made don't come with an export. */
  private static RedactionRecord done(RedactionRecord record) {
    return record.getDueAt() == 0 ? record : Progress.done(record, record.getDueAt());
  }

  /** Returns a redaction. */
  public Optional<RedactionRecord> find(ReadTransaction tr, String tenant, String id) {
    return redactions.get(tr, tenant, id);
  }

  /** Returns up to {@code limit} redactions before one, newest first. */
  public List<RedactionRecord> page(
      ReadTransaction tr, String tenant, Optional<String> before, int limit) {
    return redactions.lastWithPrefix(tr, tenant, "redaction_", before, limit);
  }

  /** Returns which redaction erased the content of a resource. */
  public Optional<RedactedResourceRecord> resource(
      ReadTransaction tr, String tenant, String object, String id) {
    return resource(tr, tenant, idOf(object, id));
  }

  /**
   * Returns whether the content of a record was redacted.
   *
   * @param kind the name of its kind
   */
  public boolean redacted(ReadTransaction tr, String tenant, String kind, String id) {
    String object = kind.equals("task input") ? TASK : kind.replace(' ', '_');
    boolean marked = resource(tr, tenant, object, id).isPresent();
    return marked
        || (object.equals(TASK)
            && !resources.batch(tr, tenant, BY_TASK, id, Optional.empty(), 1).records().isEmpty());
  }

  /** Returns a redacted resource by the id under which it is stored. */
  public Optional<RedactedResourceRecord> resource(
      ReadTransaction tr, String tenant, String storedId) {
    return resources.get(tr, tenant, storedId);
  }

  /**
   * Returns redacted content that a webhook's delivery may have sent: that of its event, or of the
   * task of that event, which is sent whole.
   *
   * @param event the delivery's event; may be empty
   * @param task the event's task; may be empty
   */
  public Optional<RedactedResourceRecord> ofDelivery(
      ReadTransaction tr, String tenant, String event, String task) {
    Optional<RedactedResourceRecord> ofEvent =
        event.isEmpty() ? Optional.empty() : resource(tr, tenant, EVENT, event);
    return ofEvent.isPresent() || task.isEmpty()
        ? ofEvent
        : resources.batch(tr, tenant, BY_TASK, task, Optional.empty(), 1).records().stream()
            .findFirst();
  }

  void insert(Transaction tr, String tenant, RedactionRecord record) {
    redactions.insert(tr, tenant, record.getRedaction().getId(), record);
    REDACTION.schedule(due, tr, tenant, record);
  }

  void update(Transaction tr, String tenant, RedactionRecord before, RedactionRecord record) {
    redactions.update(tr, tenant, record.getRedaction().getId(), before, record);
    REDACTION.reschedule(due, tr, tenant, before, record);
  }

  void insert(Transaction tr, String tenant, RedactedResourceRecord record, PendingEventId order) {
    resources.insert(tr, tenant, idOf(record), record);
    REDACTED_RESOURCE.index(resources, tr, tenant, record, order);
  }
}

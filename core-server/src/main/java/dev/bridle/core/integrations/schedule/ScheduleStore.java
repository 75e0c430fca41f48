package dev.bridle.core.integrations.schedule;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.Optional;

/**
 * Keeps schedules, and when each is looked at:
 *
 * <pre>
 * tenant / RECORD / SCHEDULE, id                   → ScheduleRecord
 * tenant / INDEX / SCHEDULE, ALL | WORKSPACE, …    → id
 * DUE / SCHEDULE, id                               → when it runs next
 * </pre>
 *
 * <p>A deleted schedule leaves its record in its lists, and is passed over there.
 */
public final class ScheduleStore {
  /** The definition of schedules. */
  public static final RecordDef<ScheduleRecord> SCHEDULE =
      RecordDef.of(70, "schedule", ScheduleRecord.parser())
          .id(record -> record.getSchedule().getId())
          .listed()
          .indexed(RecordDef.BY_WORKSPACE, record -> record.getSchedule().getWorkspaceId())
          .refersTo("workspace", record -> record.getSchedule().getWorkspaceId())
          .refersTo("persona", record -> record.getSchedule().getTargetPersonaId())
          .refersTo("session", record -> record.getSchedule().getTargetSessionId())
          .withStream()
          .build();

  static final int ALL = RecordDef.ALL;
  static final int WORKSPACE = RecordDef.BY_WORKSPACE;

  private final RecordStore<ScheduleRecord> records;
  private final DueIndex due;

  ScheduleStore(KeyLayout layout, DueIndex due) {
    this.records = SCHEDULE.store(layout);
    this.due = due;
  }

  /** Returns a schedule that the caller reaches; {@code resource_not_found} otherwise. */
  ScheduleRecord need(ReadTransaction tr, Caller caller, String id) {
    return Optional.of(ever(tr, caller, id))
        .filter(ScheduleStore::lives)
        .orElseThrow(() -> ProtocolException.notFound(SCHEDULE.name(), id));
  }

  /** Returns the same also where it is deleted by now: for commands that are told again. */
  ScheduleRecord ever(ReadTransaction tr, Caller caller, String id) {
    return records
        .get(tr, caller.tenant(), id)
        .filter(record -> caller.reaches(record.getSchedule().getWorkspaceId()))
        .orElseThrow(() -> ProtocolException.notFound(SCHEDULE.name(), id));
  }

  /** Returns the schedule that a due entry is about, where it is due then. */
  Optional<ScheduleRecord> due(ReadTransaction tr, DueEntry entry) {
    return records
        .get(tr, entry.tenant(), entry.id())
        .filter(record -> record.getDueAt() == entry.dueMillis());
  }

  static boolean lives(ScheduleRecord record) {
    return record.getDeletedAt() == 0;
  }

  void insert(Write write, ScheduleRecord record) {
    records.insert(write.tr(), write.tenant(), record.getSchedule().getId(), record);
    SCHEDULE.index(records, write.tr(), write.tenant(), record, write.order());
    schedule(write, record);
  }

  /** Stores a schedule in the place of {@code before}, and looks at it when it says. */
  void update(Write write, ScheduleRecord before, ScheduleRecord record) {
    records.update(write.tr(), write.tenant(), record.getSchedule().getId(), before, record);
    if (before.getDueAt() != record.getDueAt()) {
      due.cancel(write.tr(), entry(write, before));
      schedule(write, record);
    }
  }

  void cancel(Write write, DueEntry entry) {
    due.cancel(write.tr(), entry);
  }

  private void schedule(Write write, ScheduleRecord record) {
    if (record.getDueAt() != 0) {
      due.schedule(write.tr(), entry(write, record));
    }
  }

  private static DueEntry entry(Write write, ScheduleRecord record) {
    return new DueEntry(
        record.getDueAt(), DueKind.SCHEDULE, write.tenant(), record.getSchedule().getId());
  }

  RecordStore<ScheduleRecord> records() {
    return records;
  }
}

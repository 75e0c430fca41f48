package dev.bridle.core.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.record.v1.ScheduleRecord;
import dev.bridle.schedule.v1.Schedule;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogTest {
  private static final ScheduleRecord DUE =
      ScheduleRecord.newBuilder()
          .setSchedule(Schedule.newBuilder().setId("schedule_1"))
          .setDueAt(5)
          .build();

  @Test
  void theKindOfADueEntryLeadsToTheKindOfItsRecords() {
    RecordDef<ScheduleRecord> one = schedules(1);
    Catalog catalog = Catalog.of(List.of(one));

    assertThat(catalog.find(DueKind.SCHEDULE)).contains(one);
    assertThat(catalog.find(DueKind.POLL)).isEmpty();
  }

  @Test
  void twoKindsOfRecordsWithDueEntriesOfOneKindAreRejected() {
    assertThatThrownBy(() -> Catalog.of(List.of(schedules(1), schedules(2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SCHEDULE");
  }

  @Test
  void aRecordHasADueEntryOnlyWhileItIsDue() {
    DueEntry entry = new DueEntry(5, DueKind.SCHEDULE, "default", "schedule_1");

    assertThat(schedules(1).isDue(DUE, entry)).isTrue();
    assertThat(schedules(1).isDue(DUE.toBuilder().setDueAt(6).build(), entry)).isFalse();
    assertThat(schedules(1).isDue(DUE.toBuilder().setDueAt(0).build(), entry)).isFalse();
  }

  private static RecordDef<ScheduleRecord> schedules(int number) {
    return RecordDef.of(number, "schedule " + number, ScheduleRecord.parser())
        .id(record -> record.getSchedule().getId())
        .due(DueKind.SCHEDULE, ScheduleRecord::getDueAt)
        .build();
  }
}

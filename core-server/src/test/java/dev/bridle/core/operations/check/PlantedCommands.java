package dev.bridle.core.operations.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.finding.Row;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.storage.layer.SystemSpace;
import dev.bridle.storage.layer.TenantSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Faults in what commands with idempotency keys left, in this release and in earlier ones. */
final class PlantedCommands {
  private static final long IDEMPOTENCY_DUE = 4;

  private PlantedCommands() {}

  static List<Plant> all() {
    return List.of(
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record with the stamp of another task's",
            (tenant, stored) -> {
              List<Row> ofTasks =
                  records(stored, TenantSpace.KEYED_COMMAND)
                      .filter(row -> command(row).getResponse().toStringUtf8().contains("task_"))
                      .toList();
              Row one = ofTasks.get(0);
              Row other =
                  ofTasks.stream()
                      .skip(1)
                      .filter(
                          row -> command(row).getLastEvent().equals(command(one).getLastEvent()))
                      .findFirst()
                      .orElseThrow();
              stored.set(stamp(stored, one), stored.value(stamp(stored, other)));
              return scope(one);
            }),
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record whose request's hash is cut short",
            (tenant, stored) -> cutHash(stored, TenantSpace.KEYED_COMMAND)),
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record of an earlier release whose request's hash is cut short",
            (tenant, stored) -> cutHash(stored, TenantSpace.IDEMPOTENCY)),
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record that names an event that is not there",
            (tenant, stored) -> {
              Row record = first(stored, TenantSpace.KEYED_COMMAND, CommandRecord::hasLastEvent);
              byte[] stamp = stored.value(stamp(stored, record));
              // Far from every commit: the next one may have such an event too.
              stamp[0] ^= 0x40;
              stored.set(stamp(stored, record), stamp);
              return scope(record);
            }),
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record without its answer",
            (tenant, stored) -> loseAnswer(stored, TenantSpace.KEYED_COMMAND)),
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record of an earlier release without its answer",
            (tenant, stored) -> loseAnswer(stored, TenantSpace.IDEMPOTENCY)),
        Plant.of(
                FaultKind.IDEMPOTENCY_BROKEN,
                "an answer of an idempotency record without its stamp",
                (tenant, stored) -> loseStamp(stored, TenantSpace.KEYED_COMMAND))
            .mended("keyed_command"),
        Plant.of(
                FaultKind.IDEMPOTENCY_BROKEN,
                "an answer of an earlier release's idempotency record without its stamp",
                (tenant, stored) -> loseStamp(stored, TenantSpace.IDEMPOTENCY))
            .mended("idempotency", "due"),
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record in another generation than that of its time",
            (tenant, stored) -> {
              Row record = first(stored, TenantSpace.KEYED_COMMAND, any -> true);
              for (Row row : List.of(record, row(stored, stamp(stored, record)))) {
                List<Object> items = new ArrayList<>(row.key().items());
                items.set(0, row.key().number(0) + 1);
                stored.clear(row.raw());
                stored.set(stored.key(TenantSpace.KEYED_COMMAND, items.toArray()), row.value());
              }
              return scope(record);
            }),
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record in another place than behind its stamp",
            (tenant, stored) -> {
              Row record = first(stored, TenantSpace.KEYED_COMMAND, any -> true);
              List<Object> items = new ArrayList<>(head(record));
              items.add(7L);
              stored.clear(record.raw());
              stored.set(stored.key(TenantSpace.KEYED_COMMAND, items.toArray()), record.value());
              return scope(record);
            }),
        Plant.of(
            FaultKind.IDEMPOTENCY_BROKEN,
            "an idempotency record whose event's partition an event id has no room for",
            (tenant, stored) -> {
              Row record = first(stored, TenantSpace.KEYED_COMMAND, CommandRecord::hasLastEvent);
              CommandRecord.Builder other = command(record).toBuilder();
              other.getLastEventBuilder().setPartition(other.getLastEvent().getPartition() + 256);
              stored.set(record.raw(), Stored.whole(other.build()));
              return scope(record);
            }),
        Plant.of(
                FaultKind.DUE_MISSING,
                "an idempotency record of an earlier release without its due entry",
                (tenant, stored) -> {
                  Row due =
                      stored.list(SystemSpace.DUE).stream()
                          .filter(row -> row.key().number(2) == IDEMPOTENCY_DUE)
                          .findFirst()
                          .orElseThrow();
                  stored.clear(due.raw());
                  return due.key().text(4);
                })
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a due entry of an idempotency record that is not there",
                (tenant, stored) -> dueEntry(stored, "none"))
            .mended(),
        Plant.of(
                FaultKind.DUE_ORPHANED,
                "a due entry of an idempotency record that goes with its generation",
                (tenant, stored) ->
                    dueEntry(stored, scope(first(stored, TenantSpace.KEYED_COMMAND, any -> true))))
            .mended());
  }

  private static String cutHash(Stored stored, TenantSpace space) {
    Row record = first(stored, space, any -> true);
    CommandRecord cut =
        command(record).toBuilder().setRequestHash(ByteString.copyFromUtf8("abc")).build();
    stored.set(record.raw(), Stored.whole(cut));
    return scope(record);
  }

  private static String loseAnswer(Stored stored, TenantSpace space) {
    Row record = first(stored, space, any -> true);
    stored.clear(record.raw());
    return scope(record);
  }

  private static String loseStamp(Stored stored, TenantSpace space) {
    Row record = first(stored, space, any -> true);
    stored.clear(stamp(stored, record));
    return scope(record);
  }

  private static String dueEntry(Stored stored, String id) {
    long shard = Math.floorMod(id.hashCode(), 4);
    stored.set(
        stored.rows.key(SystemSpace.DUE, shard, 5L, IDEMPOTENCY_DUE, Stored.TENANT, id),
        new byte[0]);
    return id;
  }

  /** Returns the rows of records that have no further rows. */
  private static Stream<Row> records(Stored stored, TenantSpace space) {
    int items = space == TenantSpace.KEYED_COMMAND ? 3 : 2;
    return stored.list(space).stream()
        .filter(row -> row.key().items().size() == items && row.value()[0] == 0);
  }

  private static Row first(Stored stored, TenantSpace space, Predicate<CommandRecord> which) {
    return records(stored, space).filter(row -> which.test(command(row))).findFirst().orElseThrow();
  }

  private static List<Object> head(Row record) {
    List<Object> items = record.key().items();
    return items.subList(0, items.size() - 1);
  }

  private static String scope(Row record) {
    List<Object> head = head(record);
    return (String) head.get(head.size() - 1);
  }

  private static byte[] stamp(Stored stored, Row record) {
    return stored.key(record.key().space().orElseThrow(), head(record).toArray());
  }

  private static Row row(Stored stored, byte[] key) {
    return new Row(key, stored.rows.parse(key).orElseThrow(), stored.value(key));
  }

  private static CommandRecord command(Row row) {
    try {
      return CommandRecord.parseFrom(Arrays.copyOfRange(row.value(), 1, row.value().length));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}

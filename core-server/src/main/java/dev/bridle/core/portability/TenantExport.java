package dev.bridle.core.portability;

import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.record.RecordKind;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedTenant;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.LogPlace;
import dev.bridle.storage.layer.RecordRows.Row;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Takes a whole tenant out, unit by unit: workspaces, artifacts of no session, sessions. A unit's
 * cursor names its phase and its row, so that an export that broke off goes on after it.
 */
final class TenantExport {
  private final Stored stored;
  private final String tenant;
  private final Exporter exporter;
  private final ExportRun run;

  TenantExport(Stored stored, String tenant, Exporter exporter) {
    this.stored = stored;
    this.tenant = tenant;
    this.exporter = exporter;
    this.run = exporter.run();
  }

  private enum Phase {
    TENANT,
    WORKSPACES,
    ARTIFACTS,
    SESSIONS;

    String cursor(LogPlace place) {
      return name() + ":" + HexFormat.of().formatHex(place.toBytes());
    }
  }

  /** Takes out all of it. */
  void all() {
    run.first(List.of(this::tenant, () -> from(Phase.WORKSPACES, Optional.empty())));
  }

  /** Takes out what comes after a cursor. */
  void after(String cursor) {
    int colon = cursor.indexOf(':');
    try {
      Phase phase = Phase.valueOf(cursor.substring(0, Math.max(colon, 0)));
      String at = cursor.substring(colon + 1);
      if (phase == Phase.TENANT) {
        run.first(List.of(() -> from(Phase.WORKSPACES, Optional.empty())));
      } else {
        LogPlace place = LogPlace.fromBytes(HexFormat.of().parseHex(at));
        run.first(List.of(() -> from(phase, Optional.of(place))));
      }
    } catch (IllegalArgumentException e) {
      throw ProtocolException.invalid("resume_after", "is no cursor of an export of a tenant");
    }
  }

  private void tenant() {
    ExportedTenant.Builder entry = ExportedTenant.newBuilder();
    byte[] record =
        stored.store().read(tr -> stored.installation().tenant(tr, tenant).orElseThrow());
    entry.setRecord(UnsafeByteOperations.unsafeWrap(record));
    stored
        .store()
        .read(tr -> stored.log().floor(tr, tenant))
        .ifPresent(floor -> entry.setFloor(floor.toString()));
    run.entry(ExportEntry.newBuilder().setTenant(entry));
    run.unitEnd("tenant", tenant, "", Phase.TENANT.name() + ":");
  }

  private void from(Phase phase, Optional<LogPlace> after) {
    RecordKind kind =
        switch (phase) {
          case WORKSPACES -> RecordKind.WORKSPACE;
          case ARTIFACTS -> RecordKind.ARTIFACT;
          default -> RecordKind.SESSION;
        };
    List<Row> rows = exporter.parts().page(kind, RecordKind.ALL, "", after);
    List<Runnable> next = new ArrayList<>();
    for (Row row : rows) {
      next.add(() -> unit(phase, row));
    }
    if (!rows.isEmpty()) {
      LogPlace last = rows.get(rows.size() - 1).place();
      next.add(() -> from(phase, Optional.of(last)));
    } else if (phase == Phase.WORKSPACES) {
      next.add(() -> from(Phase.ARTIFACTS, Optional.empty()));
    } else if (phase == Phase.ARTIFACTS) {
      next.add(() -> from(Phase.SESSIONS, Optional.empty()));
    }
    run.first(next);
  }

  private void unit(Phase phase, Row row) {
    String cursor = phase.cursor(row.place());
    switch (phase) {
      case WORKSPACES -> workspace(row, cursor);
      case ARTIFACTS -> artifact(row, cursor);
      default -> exporter.session(row, cursor);
    }
  }

  private void workspace(Row row, String cursor) {
    head(RecordKind.WORKSPACE, "workspace", row.id())
        .ifPresent(
            head ->
                run.first(
                    List.of(
                        () -> run.record(RecordKind.WORKSPACE, row, head.record(), false),
                        () -> events(head, row.id()),
                        () -> end(head, "workspace", row.id(), cursor))));
  }

  /** An artifact of no session has a stream of its own; all others come with their sessions. */
  private void artifact(Row row, String cursor) {
    head(RecordKind.ARTIFACT, "artifact", row.id())
        .filter(
            head ->
                !Stored.parse(ArtifactRecord.parser(), head.record()).getArtifact().hasSessionId())
        .ifPresent(
            head ->
                run.first(
                    List.of(
                        () -> exporter.parts().artifact(row, head.record()),
                        () -> events(head, row.id()),
                        () -> end(head, "artifact", row.id(), cursor))));
  }

  /** What can still change of a resource with a stream of its own. */
  @SuppressWarnings("ArrayRecordComponent") // Written once, compared by nobody.
  private record Head(byte[] record, Optional<EventId> last, long next) {}

  /** Reads a head; empty where retention has dropped the resource since. */
  private Optional<Head> head(RecordKind kind, String object, String id) {
    return stored.store().read(tr -> head(tr, kind, object, id));
  }

  private Optional<Head> head(ReadTransaction tr, RecordKind kind, String object, String id) {
    return stored
        .records()
        .get(tr, tenant, kind.number(), id)
        .map(
            record ->
                new Head(
                    record,
                    stored.log().lastEventId(tr, tenant, id),
                    stored.events().sequence(tr, tenant, object, id)));
  }

  private void events(Head head, String stream) {
    head.last().ifPresent(last -> exporter.parts().events(stream, Optional.empty(), last));
  }

  private void end(Head head, String object, String id, String cursor) {
    if (head.last().isPresent()) {
      exporter.stream(id, head.last(), exporter.floor(id), object, head.next());
    }
    run.unitEnd(object, id, head.last().map(EventId::toString).orElse(""), cursor);
  }
}

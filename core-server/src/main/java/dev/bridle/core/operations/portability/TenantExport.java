package dev.bridle.core.operations.portability;

import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedTenant;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.LogPosition;
import dev.bridle.storage.layer.RecordRows.Row;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Takes a whole tenant out, unit by unit: what all workspaces share, workspaces, vaults without
 * their secrets, artifacts of no session, memories, sessions. A unit's cursor names its phase and
 * its row, so that an export that broke off goes on after it.
 */
final class TenantExport {
  /** The name, in cursors, of what comes before all phases. */
  private static final String TENANT = "TENANT";

  private final Stored stored;
  private final List<Phase> phases;
  private final String tenant;
  private final Exporter exporter;
  private final ExportRun run;

  TenantExport(Stored stored, String tenant, Exporter exporter) {
    this.stored = stored;
    this.phases = phases(stored.catalog());
    this.tenant = tenant;
    this.exporter = exporter;
    this.run = exporter.run();
    exporter.context().leaveOut();
  }

  /**
   * The units of one kind of records.
   *
   * @param name what cursors call it
   * @param kind the kind
   */
  private record Phase(String name, RecordDef<?> kind) {
    String cursor(LogPosition place) {
      return name + ":" + HexFormat.of().formatHex(place.toBytes());
    }
  }

  private static List<Phase> phases(Catalog catalog) {
    return catalog.all().stream()
        .flatMap(kind -> kind.export().phase().map(name -> new Phase(name, kind)).stream())
        .toList();
  }

  /** Takes out all of it. */
  void all() {
    run.first(List.of(this::tenant, () -> begin(0)));
  }

  /** Takes out what comes after a cursor. */
  void after(String cursor) {
    int colon = cursor.indexOf(':');
    String name = cursor.substring(0, Math.max(colon, 0));
    if (name.equals(TENANT)) {
      begin(0);
      return;
    }
    Phase phase =
        phases.stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(TenantExport::noCursor);
    try {
      LogPosition place =
          LogPosition.fromBytes(HexFormat.of().parseHex(cursor.substring(colon + 1)));
      run.first(List.of(() -> from(phase, Optional.of(place))));
    } catch (IllegalArgumentException e) {
      throw noCursor();
    }
  }

  private static ProtocolException noCursor() {
    return ProtocolException.invalid("resume_after", "is no cursor of an export of a tenant");
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
    run.unitEnd("tenant", tenant, "", TENANT + ":");
  }

  private void from(Phase phase, Optional<LogPosition> after) {
    List<Row> rows = exporter.parts().page(phase.kind(), RecordDef.ALL, "", after);
    List<Runnable> next = new ArrayList<>();
    for (Row row : rows) {
      next.add(() -> unit(phase, row));
    }
    if (!rows.isEmpty()) {
      LogPosition last = rows.get(rows.size() - 1).place();
      next.add(() -> from(phase, Optional.of(last)));
    } else {
      next.add(() -> begin(phases.indexOf(phase) + 1));
    }
    run.first(next);
  }

  private void begin(int phase) {
    if (phase < phases.size()) {
      run.first(List.of(() -> from(phases.get(phase), Optional.empty())));
    }
  }

  private void unit(Phase phase, Row row) {
    String cursor = phase.cursor(row.place());
    RecordDef<?> kind = phase.kind();
    if (kind.equals(ArtifactStore.ARTIFACT)) {
      artifact(row, cursor);
    } else if (kind.equals(SessionStore.SESSION)) {
      exporter.session(row, cursor);
    } else if (kind.equals(WorkspaceStore.WORKSPACE)) {
      workspace(row, cursor);
    } else {
      resource(kind, row, cursor);
    }
  }

  /** A resource with a stream of its own, and nothing beside its record and its events. */
  private void resource(RecordDef<?> kind, Row row, String cursor) {
    head(kind, kind.name(), row.id())
        .ifPresent(
            head ->
                run.first(
                    List.of(
                        () -> run.record(kind, row, head.record(), false),
                        () -> exporter.events(head, row.id()),
                        () -> end(head, kind.name(), row.id(), cursor))));
  }

  /** A workspace comes with its files. */
  private void workspace(Row row, String cursor) {
    RecordDef<?> kind = WorkspaceStore.WORKSPACE;
    head(kind, kind.name(), row.id())
        .ifPresent(
            head ->
                run.first(
                    List.of(
                        () -> run.record(kind, row, head.record(), false),
                        () -> new WorkspaceTree(stored, tenant, run, row.id()).all(),
                        () -> exporter.events(head, row.id()),
                        () -> end(head, kind.name(), row.id(), cursor))));
  }

  /** An artifact of no session has a stream of its own; all others come with their sessions. */
  private void artifact(Row row, String cursor) {
    head(ArtifactStore.ARTIFACT, "artifact", row.id())
        .filter(
            head ->
                !Stored.parse(ArtifactRecord.parser(), head.record()).getArtifact().hasSessionId())
        .ifPresent(
            head ->
                run.first(
                    List.of(
                        () -> exporter.parts().artifact(row, head.record()),
                        () -> exporter.events(head, row.id()),
                        () -> end(head, "artifact", row.id(), cursor))));
  }

  private Optional<ResourceHead> head(RecordDef<?> kind, String object, String id) {
    return stored.store().read(tr -> ResourceHead.read(tr, stored, tenant, kind, object, id));
  }

  private void end(ResourceHead head, String object, String id, String cursor) {
    exporter.streamOf(head, object, id);
    run.unitEnd(object, id, head.last().map(EventId::toString).orElse(""), cursor);
  }
}

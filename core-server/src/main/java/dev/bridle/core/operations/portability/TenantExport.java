package dev.bridle.core.operations.portability;

import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.RecordKind;
import dev.bridle.record.v1.ArtifactRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ExportedTenant;
import dev.bridle.storage.layer.EventId;
import dev.bridle.storage.layer.LogPlace;
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
  private final Stored stored;
  private final String tenant;
  private final Exporter exporter;
  private final ExportRun run;

  TenantExport(Stored stored, String tenant, Exporter exporter) {
    this.stored = stored;
    this.tenant = tenant;
    this.exporter = exporter;
    this.run = exporter.run();
    exporter.context().leaveOut();
  }

  private enum Phase {
    TENANT,
    QUOTAS,
    PERSONAS,
    SKILLS,
    WORKSPACES,
    VAULTS,
    ARTIFACTS,
    MEMORIES,
    SESSIONS;

    Optional<Phase> next() {
      return switch (this) {
        case TENANT -> Optional.of(QUOTAS);
        case QUOTAS -> Optional.of(PERSONAS);
        case PERSONAS -> Optional.of(SKILLS);
        case SKILLS -> Optional.of(WORKSPACES);
        case WORKSPACES -> Optional.of(VAULTS);
        case VAULTS -> Optional.of(ARTIFACTS);
        case ARTIFACTS -> Optional.of(MEMORIES);
        case MEMORIES -> Optional.of(SESSIONS);
        case SESSIONS -> Optional.empty();
      };
    }

    RecordKind kind() {
      return switch (this) {
        case QUOTAS -> RecordKind.QUOTA;
        case PERSONAS -> RecordKind.PERSONA;
        case SKILLS -> RecordKind.SKILL;
        case TENANT, WORKSPACES -> RecordKind.WORKSPACE;
        case VAULTS -> RecordKind.VAULT;
        case ARTIFACTS -> RecordKind.ARTIFACT;
        case MEMORIES -> RecordKind.MEMORY;
        case SESSIONS -> RecordKind.SESSION;
      };
    }

    String cursor(LogPlace place) {
      return name() + ":" + HexFormat.of().formatHex(place.toBytes());
    }
  }

  /** Takes out all of it. */
  void all() {
    run.first(List.of(this::tenant, () -> begin(Phase.TENANT.next())));
  }

  /** Takes out what comes after a cursor. */
  void after(String cursor) {
    int colon = cursor.indexOf(':');
    try {
      Phase phase = Phase.valueOf(cursor.substring(0, Math.max(colon, 0)));
      String at = cursor.substring(colon + 1);
      if (phase == Phase.TENANT) {
        begin(phase.next());
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
    List<Row> rows = exporter.parts().page(phase.kind(), RecordKind.ALL, "", after);
    List<Runnable> next = new ArrayList<>();
    for (Row row : rows) {
      next.add(() -> unit(phase, row));
    }
    if (!rows.isEmpty()) {
      LogPlace last = rows.get(rows.size() - 1).place();
      next.add(() -> from(phase, Optional.of(last)));
    } else {
      next.add(() -> begin(phase.next()));
    }
    run.first(next);
  }

  private void begin(Optional<Phase> phase) {
    phase.ifPresent(at -> run.first(List.of(() -> from(at, Optional.empty()))));
  }

  private void unit(Phase phase, Row row) {
    String cursor = phase.cursor(row.place());
    switch (phase) {
      case ARTIFACTS -> artifact(row, cursor);
      case SESSIONS -> exporter.session(row, cursor);
      case WORKSPACES -> workspace(row, cursor);
      default -> resource(phase.kind(), row, cursor);
    }
  }

  /** A resource with a stream of its own, and nothing beside its record and its events. */
  private void resource(RecordKind kind, Row row, String cursor) {
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
    RecordKind kind = RecordKind.WORKSPACE;
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
    head(RecordKind.ARTIFACT, "artifact", row.id())
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

  private Optional<ResourceHead> head(RecordKind kind, String object, String id) {
    return stored.store().read(tr -> ResourceHead.read(tr, stored, tenant, kind, object, id));
  }

  private void end(ResourceHead head, String object, String id, String cursor) {
    exporter.streamOf(head, object, id);
    run.unitEnd(object, id, head.last().map(EventId::toString).orElse(""), cursor);
  }
}

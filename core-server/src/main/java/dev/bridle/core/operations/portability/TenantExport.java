package dev.bridle.core.operations.portability;

import com.google.protobuf.UnsafeByteOperations;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.record.Catalog;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.core.work.receipt.ReceiptStore;
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
 * Exports a whole tenant, unit by unit: shared resources, workspaces, vaults without their secrets,
 * artifacts without a session, memories, sessions. A unit's cursor holds its phase and its row, so
 * that an interrupted export can be resumed after it.
 */
final class TenantExport {
  /** The name, in cursors, of the unit before all phases. */
  private static final String TENANT = "TENANT";

  private final TransferStores stores;
  private final List<Phase> phases;
  private final String tenant;
  private final Exporter exporter;
  private final ExportRun run;

  TenantExport(TransferStores stores, String tenant, Exporter exporter) {
    this.stores = stores;
    this.phases = phases(stores.catalog());
    this.tenant = tenant;
    this.exporter = exporter;
    this.run = exporter.run();
    exporter.context().leaveOut();
  }

  /**
   * The units of one kind of records.
   *
   * @param name its name in cursors
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

  /** Exports the whole tenant. */
  void all() {
    run.first(List.of(this::tenant, () -> begin(0)));
  }

  /** Exports the units after a cursor. */
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
        stores.store().read(tr -> stores.installation().tenant(tr, tenant).orElseThrow());
    entry.setRecord(UnsafeByteOperations.unsafeWrap(record));
    stores
        .store()
        .read(tr -> stores.log().floor(tr, tenant))
        .ifPresent(floor -> entry.setFloor(floor.toString()));
    run.entry(ExportEntry.newBuilder().setTenant(entry));
    exporter.unit().keys();
    run.unitEnd("tenant", tenant, "", TENANT + ":");
  }

  private void from(Phase phase, Optional<LogPosition> after) {
    List<Row> rows = stores.page(tenant, phase.kind(), RecordDef.ALL, "", after);
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
    if (phase.kind().equals(SessionStore.SESSION)) {
      exporter.session(row, cursor);
    } else {
      resource(phase.kind(), row, cursor);
    }
  }

  /** Exports a resource that has its own stream, with its content. */
  private void resource(RecordDef<?> kind, Row row, String cursor) {
    stores
        .store()
        .read(tr -> ResourceHead.read(tr, stores, tenant, kind, kind.name(), row.id()))
        .filter(head -> !isOfSession(kind, head))
        .ifPresent(
            head ->
                run.first(
                    List.of(
                        () -> content(kind, row, head),
                        () -> exporter.events(head, row.id()),
                        () -> redactions(kind, row.id(), head),
                        () -> end(head, kind.name(), row.id(), cursor))));
  }

  /** Returns whether a record is an artifact of a session, which is exported with its session. */
  private static boolean isOfSession(RecordDef<?> kind, ResourceHead head) {
    return kind.equals(ArtifactStore.ARTIFACT)
        && TransferStores.parse(ArtifactRecord.parser(), head.record())
            .getArtifact()
            .hasSessionId();
  }

  private void content(RecordDef<?> kind, Row row, ResourceHead head) {
    if (kind.equals(ArtifactStore.ARTIFACT)) {
      exporter.unit().artifact(row, head.record());
      return;
    }
    run.record(kind, row, head.record(), false);
    if (kind.equals(QuotaStore.QUOTA)) {
      stores
          .read(tenant, ReceiptStore.LAST_RECEIPT, row.id())
          .ifPresent(last -> run.unlistedContext(ReceiptStore.LAST_RECEIPT, row.id(), last));
    }
    if (kind.equals(WorkspaceStore.WORKSPACE)) {
      new WorkspaceTree(stores, tenant, run, row.id()).all();
    }
  }

  private void redactions(RecordDef<?> kind, String id, ResourceHead head) {
    if (kind.equals(ArtifactStore.ARTIFACT)) {
      exporter.unit().redactions(id, head.last());
    }
  }

  private void end(ResourceHead head, String object, String id, String cursor) {
    exporter.streamOf(head, object, id);
    run.unitEnd(object, id, head.last().map(EventId::toString).orElse(""), cursor);
  }
}

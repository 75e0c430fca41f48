package dev.bridle.core.work.quota;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.persona.v1.Persona;
import dev.bridle.quota.v1.Quota;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the quotas that bind a task: its persona's, its workspace's, and those of the tenant. */
public final class BoundQuotas {
  /** The maximum number of quotas that bind all tasks of a tenant. */
  static final int MAX_OF_TENANT = 16;

  private final RecordStore<Quota> quotas;
  private final TenantRecords<Persona> personas;
  private final WorkspaceStore workspaces;

  public BoundQuotas(KeyLayout layout) {
    this.quotas = QuotaStore.QUOTA.store(layout);
    this.personas = new TenantRecords<>(layout, Personas.PERSONA);
    this.workspaces = new WorkspaceStore(layout);
  }

  /** Returns the quotas that bind a new task. */
  List<Quota> of(TaskChange change) {
    Write write = change.write();
    ReadTransaction tr = write.tr();
    String tenant = write.tenant();
    List<String> ids = new ArrayList<>();
    Optional.of(change.task().getPersonaId())
        .filter(id -> !id.isEmpty())
        .flatMap(id -> personas.records().get(tr, tenant, id))
        .map(Persona::getQuotaId)
        .ifPresent(ids::add);
    workspaces
        .named(tr, tenant, change.task().getWorkspaceId())
        .ifPresent(workspace -> ids.add(workspace.getQuotaId()));
    ids.addAll(ofTenant(tr, tenant));
    ids.removeIf(String::isEmpty);
    return read(write, ids);
  }

  /** Returns the ids of the quotas that bind all tasks of a tenant. */
  List<String> ofTenant(ReadTransaction tr, String tenant) {
    return quotas
        .page(tr, tenant, QuotaStore.QUOTAS_OF_TENANT, "", Optional.empty(), MAX_OF_TENANT, false)
        .stream()
        .map(IndexRow::id)
        .toList();
  }

  /** Returns the quotas that were bound to a task when it was submitted. */
  List<Quota> boundTo(TaskChange change) {
    return read(change.write(), change.record().getQuotaIdsList());
  }

  /** Returns the quotas that a task's record names. */
  List<Quota> named(Write write, TaskRecord task) {
    return read(write, task.getQuotaIdsList());
  }

  private List<Quota> read(Write write, List<String> ids) {
    return ids.isEmpty()
        ? List.of()
        : quotas.getAll(write.tr(), write.tenant(), ids).stream()
            .map(quota -> Periods.settled(quota, write.nowMillis()))
            .toList();
  }
}

package dev.bridle.core.work.quota;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
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
import dev.bridle.workspace.v1.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the quotas that bind a task: its persona's, its workspace's, and those of the tenant. */
public final class BoundQuotas {
  /** The maximum number of quotas that bind all tasks of a tenant. */
  static final int MAX_OF_TENANT = 16;

  private final RecordStore<Quota> quotas;

  public BoundQuotas(KeyLayout layout) {
    this.quotas = QuotaStore.QUOTA.store(layout);
  }

  /** Returns the quotas that bind a new task. */
  static List<Quota> of(TaskChange change, Configuration configuration) {
    List<Quota> quotas = new ArrayList<>();
    Stream.concat(
            Stream.of(change.task().getPersonaId())
                .filter(id -> !id.isEmpty())
                .flatMap(id -> configuration.find(Personas.PERSONA, id).stream())
                .map(Persona::getQuotaId),
            configuration.find(WorkspaceStore.WORKSPACE, change.task().getWorkspaceId()).stream()
                .map(Workspace::getQuotaId))
        .filter(id -> !id.isEmpty())
        .forEach(id -> configuration.find(QuotaStore.QUOTA, id).ifPresent(quotas::add));
    quotas.addAll(
        configuration.listed(QuotaStore.QUOTA, QuotaStore.QUOTAS_OF_TENANT, MAX_OF_TENANT));
    return settled(change.write(), quotas);
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
        : settled(write, quotas.getAll(write.tr(), write.tenant(), ids));
  }

  private static List<Quota> settled(Write write, List<Quota> quotas) {
    return quotas.stream().map(quota -> Periods.settled(quota, write.nowMillis())).toList();
  }
}

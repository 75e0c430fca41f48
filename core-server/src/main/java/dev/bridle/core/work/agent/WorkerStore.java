package dev.bridle.core.work.agent;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.configuration.Configuration;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.WorkerRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.IndexRow;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import dev.bridle.worker.v1.WorkerBinding;
import java.util.List;
import java.util.Optional;

/**
 * Stores which agent takes which tasks:
 *
 * <pre>
 * tenant / RECORD / WORKER, agent id     → WorkerRecord
 * tenant / INDEX / WORKER, ALL, …        → agent id
 * </pre>
 *
 * <p>An agent that unregisters keeps its record, without bindings.
 */
public final class WorkerStore {
  /** The definition of registered workers. */
  public static final RecordDef<WorkerRecord> WORKER =
      RecordDef.of(12, "worker", WorkerRecord.parser())
          .id(WorkerRecord::getAgentId)
          .listed()
          .configuration()
          .build();

  /** The maximum number of registered agents per tenant. */
  public static final int MAX_AGENTS = 1000;

  private final RecordStore<WorkerRecord> records;

  public WorkerStore(KeyLayout layout) {
    this.records = WORKER.store(layout);
  }

  /**
   * Returns the agent for a task of this workspace and persona: the one with the most specific
   * binding, and of equally specific ones the one that registered first.
   */
  public static Optional<String> bind(
      Configuration configuration, String workspace, Optional<String> persona) {
    String best = "";
    int mostSpecific = -1;
    for (WorkerRecord agent : configuration.listed(WORKER, RecordDef.ALL, MAX_AGENTS)) {
      for (WorkerBinding binding : agent.getBindingsList()) {
        int specificity = specificity(binding, workspace, persona);
        if (specificity > mostSpecific) {
          mostSpecific = specificity;
          best = agent.getAgentId();
        }
      }
    }
    return mostSpecific < 0 ? Optional.empty() : Optional.of(best);
  }

  private static int specificity(
      WorkerBinding binding, String workspace, Optional<String> persona) {
    boolean fits =
        (!binding.hasWorkspaceId() || binding.getWorkspaceId().equals(workspace))
            && (!binding.hasPersonaId() || persona.equals(Optional.of(binding.getPersonaId())));
    return fits ? (binding.hasPersonaId() ? 2 : 0) + (binding.hasWorkspaceId() ? 1 : 0) : -1;
  }

  /** Returns all registrations of a tenant. */
  public List<WorkerRecord> all(ReadTransaction tr, String tenant) {
    List<String> ids =
        records.page(tr, tenant, RecordDef.ALL, "", Optional.empty(), MAX_AGENTS, false).stream()
            .map(IndexRow::id)
            .toList();
    return ids.isEmpty() ? List.of() : records.getAll(tr, tenant, ids);
  }

  /** Returns an agent's registration. */
  public Optional<WorkerRecord> find(ReadTransaction tr, String tenant, String agentId) {
    return records.get(tr, tenant, agentId);
  }

  /** Stores a registration; replaces an earlier one. */
  public void put(Write write, WorkerRecord record) {
    String id = record.getAgentId();
    Optional<WorkerRecord> before = records.get(write.tr(), write.tenant(), id);
    if (before.isPresent()) {
      records.update(write.tr(), write.tenant(), id, before.get(), record);
    } else {
      records.insert(write.tr(), write.tenant(), id, record);
      WORKER.index(records, write.tr(), write.tenant(), record, write.order());
    }
  }
}

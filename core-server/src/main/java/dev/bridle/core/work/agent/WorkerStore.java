package dev.bridle.core.work.agent;

import dev.bridle.core.kernel.command.Write;
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
 * Keeps which agent takes what:
 *
 * <pre>
 * tenant / RECORD / WORKER, agent id     → WorkerRecord
 * tenant / INDEX / WORKER, ALL, …        → agent id
 * </pre>
 *
 * <p>An agent that ends its registration keeps its record, with no bindings.
 */
public final class WorkerStore {
  /** The definition of registered workers. */
  public static final RecordDef<WorkerRecord> WORKER =
      RecordDef.of(12, "worker", WorkerRecord.parser())
          .id(WorkerRecord::getAgentId)
          .listed()
          .build();

  /** How many agents one tenant may register. */
  public static final int MAX_AGENTS = 1000;

  private final RecordStore<WorkerRecord> records;

  public WorkerStore(KeyLayout layout) {
    this.records = WORKER.store(layout);
  }

  /**
   * Returns the agent that takes a task of this workspace and persona: the one with the tightest
   * binding, and of equally tight ones the one that registered first.
   */
  public Optional<String> bind(
      ReadTransaction tr, String tenant, String workspace, Optional<String> persona) {
    String best = "";
    int tightest = -1;
    for (WorkerRecord agent : all(tr, tenant)) {
      for (WorkerBinding binding : agent.getBindingsList()) {
        int tightness = tightness(binding, workspace, persona);
        if (tightness > tightest) {
          tightest = tightness;
          best = agent.getAgentId();
        }
      }
    }
    return tightest < 0 ? Optional.empty() : Optional.of(best);
  }

  private static int tightness(WorkerBinding binding, String workspace, Optional<String> persona) {
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

  /** Stores a registration, in the place of any before it. */
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

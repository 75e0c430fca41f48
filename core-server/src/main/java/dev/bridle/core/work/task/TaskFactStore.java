package dev.bridle.core.work.task;

import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.record.v1.TaskFactKind;
import dev.bridle.record.v1.TaskFactRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.Transaction;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.RecordStore;
import java.util.List;
import java.util.Optional;

/**
 * Stores the facts for the receipts of tasks:
 *
 * <pre>
 * tenant / RECORD / TASK_FACT, task/kind/key → TaskFactRecord
 * </pre>
 */
public final class TaskFactStore {
  /** The definition of facts. */
  public static final RecordDef<TaskFactRecord> TASK_FACT =
      RecordDef.of(19, "task fact", TaskFactRecord.parser())
          .id(fact -> id(fact.getTaskId(), fact.getKind(), fact.getKey()))
          .refersTo("task", TaskFactRecord::getTaskId)
          .exported()
          .build();

  /** More than all lists of a task can have. */
  private static final int MOST = TaskFactKind.values().length * TaskFacts.MAX_LISTED;

  private final RecordStore<TaskFactRecord> records;

  public TaskFactStore(KeyLayout layout) {
    this.records = TASK_FACT.store(layout);
  }

  /** Returns all stored facts of a task, list by list, each in the order of its keys. */
  public List<TaskFactRecord> all(ReadTransaction tr, String tenant, String task) {
    return records.withPrefix(tr, tenant, task + '/', task + '/', MOST);
  }

  /** Returns the stored facts of one list. */
  List<TaskFactRecord> all(ReadTransaction tr, String tenant, String task, TaskFactKind kind) {
    String prefix = id(task, kind, "");
    return records.withPrefix(tr, tenant, prefix, prefix, TaskFacts.MAX_LISTED);
  }

  Optional<TaskFactRecord> find(
      ReadTransaction tr, String tenant, String task, TaskFactKind kind, String key) {
    return records.get(tr, tenant, id(task, kind, key));
  }

  void put(Transaction tr, String tenant, TaskFactRecord fact) {
    records.insert(tr, tenant, id(fact.getTaskId(), fact.getKind(), fact.getKey()), fact);
  }

  private static String id(String task, TaskFactKind kind, String key) {
    return task + '/' + (kind.getNumber() < 10 ? "0" : "") + kind.getNumber() + '/' + key;
  }
}

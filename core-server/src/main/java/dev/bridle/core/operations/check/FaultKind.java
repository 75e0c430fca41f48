package dev.bridle.core.operations.check;

import java.util.Locale;

/** What can be wrong with stored data. */
public enum FaultKind {
  /** A key that no layout names, or whose items are not those of its subspace. */
  KEY_UNKNOWN,
  /** Rows of a tenant that has no tenant record. */
  TENANT_UNKNOWN,
  /** A value that its subspace can't have, or a record that can't be read. */
  VALUE_DAMAGED,
  /** A record whose own id is another than the one that it is stored under. */
  RECORD_MISPLACED,
  /** A record that lacks its index row. */
  INDEX_MISSING,
  /** An index row that points at no record. */
  INDEX_ORPHANED,
  /** An index row whose record has another value, or has its row already. */
  INDEX_WRONG,
  /** A further row of a large value that the value does not have. */
  CHUNK_ORPHANED,
  /** A record that names another one that is not there. */
  REFERENCE_BROKEN,
  /** A hole or a double among the numbers of a resource's events. */
  SEQUENCE_BROKEN,
  /** A counter of events that is not one above the newest number. */
  COUNTER_WRONG,
  /** An event whose commitment does not fit its payload. */
  COMMITMENT_WRONG,
  /** The digest that a task keeps of its events is not theirs. */
  DIGEST_WRONG,
  /** What a task has counted is not what its events tell. */
  COUNT_WRONG,
  /** An event that its feed does not name. */
  FEED_MISSING,
  /** A feed entry whose event is not there. */
  FEED_ORPHANED,
  /** A feed entry in another partition than its stream's, or one that names another stream. */
  FEED_WRONG,
  /** An event of a task that the task's pointers do not name. */
  POINTER_MISSING,
  /** A pointer of a task whose event is not there, or is another's. */
  POINTER_WRONG,
  /** A floor of retention above what is there, or above what there has been. */
  FLOOR_WRONG,
  /** A tenant's era below that of one of its events, or a log that is closed. */
  ERA_WRONG,
  /** A stream whose newest event is another than the one kept as such. */
  LAST_EVENT_WRONG,
  /** A task whose state is not the one that its events tell. */
  TASK_STATE_WRONG,
  /** A task whose state, queue entry and lease can't stand together. */
  TASK_INCONSISTENT,
  /** A task whose place in the queue, entry in the queue and record differ. */
  QUEUE_WRONG,
  /** An entry or place in the queue of a task that is not there or does not wait. */
  QUEUE_ORPHANED,
  /** Something that is to be looked at later, without its due entry. */
  DUE_MISSING,
  /** A due entry about what is not there, or not due then. */
  DUE_ORPHANED,
  /** A permission request that its task, its due entry, its hashes or its use contradict. */
  PERMISSION_WRONG,
  /** A vault's list of secrets and the sealed values that contradict each other. */
  SECRET_WRONG,
  /** A delivery that its key, its body or its due entry contradicts. */
  DELIVERY_WRONG,
  /** A connector whose polls stand otherwise than it does, or that saw what it can't have. */
  POLL_WRONG,
  /** A schedule that stands otherwise than its next run says. */
  SCHEDULE_WRONG,
  /** A webhook's delivery that nobody sends, or that waits where it should not. */
  WEBHOOK_WRONG,
  /** A connector's path for deliveries that leads nowhere, or is not there. */
  INGRESS_WRONG,
  /** A workspace that counts other files than it has, or has a file where a directory is. */
  WORKSPACE_TREE_WRONG,
  /** An ended task without its outcome, or an outcome that its task does not name. */
  OUTCOME_WRONG,
  /** An idempotency record that names an event that is not there. */
  IDEMPOTENCY_BROKEN,
  /** Steps of a task that is not there or knows nothing of them. */
  STEP_ORPHANED,
  /** Heartbeats of a lease that is not held. */
  RENEWAL_ORPHANED,
  /** Usage of a quota that is not there, or that is no amount. */
  USAGE_ORPHANED,
  /** Content of an artifact that is missing, too long, or not what its hash says. */
  BLOB_WRONG,
  /** Content that no artifact and no upload holds. */
  BLOB_ORPHANED,
  /** A key without its credential, or one that belongs to another key. */
  CREDENTIAL_WRONG,
  /** A credential of a key that is not there. */
  CREDENTIAL_ORPHANED;

  /** Returns the kind's name as commands and reports spell it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.bridle.core.operations.check.finding;

import java.util.Locale;

/** The kinds of faults in stored data. */
public enum FaultKind {
  /** A key that is not part of the key layout, or has the wrong items for its subspace. */
  KEY_UNKNOWN,
  /** Rows of a tenant that has no tenant record. */
  TENANT_UNKNOWN,
  /** A value that is invalid in its subspace, or a record that can't be parsed. */
  VALUE_DAMAGED,
  /** A record that is stored under another id than its own. */
  RECORD_MISPLACED,
  /** A record without its index row. */
  INDEX_MISSING,
  /** An index row without its record. */
  INDEX_ORPHANED,
  /** An index row that does not match its record, or is a duplicate. */
  INDEX_WRONG,
  /** A continuation row without its large value. */
  CHUNK_ORPHANED,
  /** A record that refers to a record that does not exist. */
  REFERENCE_BROKEN,
  /** A gap or duplicate in the sequence numbers of a resource's events. */
  SEQUENCE_BROKEN,
  /** A counter of events that is not one above the newest sequence number. */
  COUNTER_WRONG,
  /** An event whose commitment does not match its payload. */
  COMMITMENT_WRONG,
  /** A task whose digest does not match its events. */
  DIGEST_WRONG,
  /** A task whose counts do not match its events. */
  COUNT_WRONG,
  /** An event without its feed entry. */
  FEED_MISSING,
  /** A feed entry without its event. */
  FEED_ORPHANED,
  /** A feed entry in the wrong partition, or with the wrong stream. */
  FEED_WRONG,
  /** An event of a task without its pointer. */
  POINTER_MISSING,
  /** A pointer of a task whose event does not exist, or belongs to another task. */
  POINTER_WRONG,
  /** A retention floor above events that exist, or above all events that ever existed. */
  FLOOR_WRONG,
  /** A tenant's era below that of one of its events, or a log that is wrongly closed. */
  ERA_WRONG,
  /** A stream whose stored newest event is wrong. */
  LAST_EVENT_WRONG,
  /** A task whose state does not follow from its events. */
  TASK_STATE_WRONG,
  /** A task whose state, queue entry and lease contradict each other. */
  TASK_INCONSISTENT,
  /** A task whose queue place, queue entry and record differ. */
  QUEUE_WRONG,
  /** A queue entry or queue place of a task that does not exist or is not waiting. */
  QUEUE_ORPHANED,
  /** Something that is due later, without its due entry. */
  DUE_MISSING,
  /** A due entry for something that does not exist, or is not due then. */
  DUE_ORPHANED,
  /** A permission request that contradicts its task, due entry, hashes or use. */
  PERMISSION_WRONG,
  /** A vault whose list of secrets and sealed values contradict each other. */
  SECRET_WRONG,
  /** A delivery that contradicts its key, body or due entry. */
  DELIVERY_WRONG,
  /** A connector that contradicts its polling state or its seen items. */
  POLL_WRONG,
  /** A schedule whose status contradicts its next run. */
  SCHEDULE_WRONG,
  /** An exchange whose state contradicts its decision or its due time. */
  EXCHANGE_WRONG,
  /** An exchange that a mailbox lacks, or has in the wrong folder. */
  MAILBOX_WRONG,
  /** A row or place in a mailbox of an exchange that does not belong there. */
  MAILBOX_ORPHANED,
  /** A code or nonce that leads to no pairing, or to one that has another. */
  PAIRING_WRONG,
  /** An entry of the relay's audit log whose hash is wrong, or that lacks the one before. */
  AUDIT_WRONG,
  /** A webhook's delivery that is never sent, or is in the wrong line or agenda. */
  WEBHOOK_WRONG,
  /** A connector's ingress path that is missing, or leads to no connector. */
  INGRESS_WRONG,
  /** A workspace whose count of files is wrong, or that has a file with the name of a directory. */
  WORKSPACE_TREE_WRONG,
  /** An ended task without its outcome, or an outcome that its task does not refer to. */
  OUTCOME_WRONG,
  /** An ended task without the receipt that it is meant to have. */
  RECEIPT_MISSING,
  /** A receipt that does not verify, or contradicts its record, its task or its task's log. */
  RECEIPT_WRONG,
  /** A session's chain of receipts with a gap, a fork, or another end or tree than stored. */
  RECEIPT_CHAIN_WRONG,
  /** Content that is still stored although it was redacted, or missing although it was not. */
  REDACTION_WRONG,
  /** An idempotency record that refers to an event that does not exist. */
  IDEMPOTENCY_BROKEN,
  /** Steps of a task that does not exist or has no steps. */
  STEP_ORPHANED,
  /** A heartbeat of a lease that is not held. */
  RENEWAL_ORPHANED,
  /** Usage of a quota or party of the relay that does not exist, or that is not an amount. */
  USAGE_ORPHANED,
  /** Content of an artifact that is missing, too long, or does not match its hash. */
  BLOB_WRONG,
  /** Content that belongs to no artifact and no upload. */
  BLOB_ORPHANED,
  /** A key without its credential, or with the credential of another key. */
  CREDENTIAL_WRONG,
  /** A credential of a key that does not exist. */
  CREDENTIAL_ORPHANED;

  /** Returns the kind's name in commands and reports. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}

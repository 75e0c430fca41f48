package dev.bridle.core.operations.check.proof;

import dev.bridle.core.kernel.record.RecordDef.Entry;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;

/**
 * What the survey of all rows has proven. The checks look only at what it leaves unproven, each in
 * one transaction, so a row that changes meanwhile costs time, but is no finding.
 */
public final class Proofs {
  private final Differences index = new Differences();
  private final Differences due = new Differences();
  private final Differences feed = new Differences();
  private final Differences pointers = new Differences();
  private final Differences newest = new Differences();
  private final Differences counters = new Differences();
  private final Differences tasks = new Differences();
  private final Differences outcomes = new Differences();
  private final Differences receipts = new Differences();
  private final Differences events = new Differences();
  private final KnownRecords known = new KnownRecords();

  /** Returns the comparison of records with index rows. */
  public Differences index() {
    return index;
  }

  /** Returns the comparison of records with due entries. */
  public Differences due() {
    return due;
  }

  /** Returns the comparison of events with feed entries. */
  public Differences feed() {
    return feed;
  }

  /** Returns the comparison of events of tasks with their pointers, by task. */
  public Differences pointers() {
    return pointers;
  }

  /** Returns the comparison of streams with their stored newest events, by stream. */
  public Differences newest() {
    return newest;
  }

  /** Returns the comparison of resources with the counters of their events, by resource. */
  public Differences counters() {
    return counters;
  }

  /**
   * Returns the comparison of tasks with the state of their events, their steps and their places in
   * queues.
   */
  public Differences tasks() {
    return tasks;
  }

  /** Returns the comparison of ended tasks with their outcomes, by task. */
  public Differences outcomes() {
    return outcomes;
  }

  /** Returns the comparison of ended tasks with their receipts, issued or owed, by task. */
  public Differences receipts() {
    return receipts;
  }

  /** Returns what each event proves alone: its value, commitment and number, by stream. */
  public Differences events() {
    return events;
  }

  /** Returns the records that others may refer to. */
  public KnownRecords known() {
    return known;
  }

  /** Returns whether nothing of the events is left to look at. */
  public boolean ofAllEvents() {
    return events.proveAll()
        && feed.proveAll()
        && pointers.proveAll()
        && newest.proveAll()
        && counters.proveAll();
  }

  /** Returns whether nothing of a task is left to look at. */
  public boolean ofTask(String tenant, String task) {
    long hash = hash(tenant, task);
    return tasks.proves(hash) && outcomes.proves(hash) && pointers.proves(hash);
  }

  public static long hash(String tenant, String id) {
    return RowHash.of(tenant).add(id).end();
  }

  public static long resource(String tenant, String object, String id) {
    return RowHash.of(tenant).add(object).add(id).end();
  }

  public static long record(String tenant, String kind, String id) {
    return RowHash.of(tenant).add(kind).add(id).end();
  }

  public static long entry(String tenant, int kind, Entry entry, String id) {
    return RowHash.of(tenant).add(kind).add(entry.index()).add(entry.value()).add(id).end();
  }

  public static long entry(DueEntry entry) {
    return due(DueIndex.shardOf(entry.id()), entry);
  }

  public static long due(long shard, DueEntry entry) {
    return RowHash.of(shard)
        .add(entry.dueMillis())
        .add(entry.kind().name())
        .add(entry.tenant())
        .add(entry.id())
        .end();
  }

  public static long feed(String tenant, String stream, byte[] event) {
    return RowHash.of(tenant).add(stream).add(event).end();
  }

  public static long pointer(long task, long sequence, byte[] event) {
    return RowHash.of(task).add(sequence).add(event).end();
  }
}

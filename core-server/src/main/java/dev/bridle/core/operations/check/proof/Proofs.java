package dev.bridle.core.operations.check.proof;

import dev.bridle.core.kernel.record.RecordDef.Entry;
import dev.bridle.storage.layer.DueEntry;
import dev.bridle.storage.layer.DueIndex;
import java.util.List;

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
  private final Differences chunks = new Differences();
  private final Differences records = new Differences();
  private final Differences results = new Differences();
  private final Differences steps = new Differences();
  private final Differences commands = new Differences();
  private final ExpectedHashes messages = new ExpectedHashes();
  private final ExpectedHashes answers = new ExpectedHashes();
  private final KnownRecords known = new KnownRecords();
  private final OpenReferences references = new OpenReferences(known, records);
  private final OpenReferences artifacts = new OpenReferences(known, results);

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

  /** Returns the comparison of large values with their further rows, by number. */
  public Differences chunks() {
    return chunks;
  }

  /** Returns what each record proves alone, and that what it names is there, by record. */
  public Differences records() {
    return records;
  }

  /** Returns whether the artifacts are there that outcomes name, by outcome. */
  public Differences results() {
    return results;
  }

  /** Returns what each step proves alone, and that its task is there, by step. */
  public Differences steps() {
    return steps;
  }

  /** Returns what each command proves with its stamp and its event, by command. */
  public Differences commands() {
    return commands;
  }

  /** Returns the messages at their events: expected by index rows, seen in events. */
  public ExpectedHashes messages() {
    return messages;
  }

  /** Returns the events of commands, each with what it is about: expected by events. */
  public ExpectedHashes answers() {
    return answers;
  }

  /** Returns the references of records to records that were read later. */
  public OpenReferences references() {
    return references;
  }

  /** Returns the references of outcomes to artifacts that were read later. */
  public OpenReferences artifacts() {
    return artifacts;
  }

  /** Resolves what was left open until all rows are read. */
  public void resolve() {
    references.resolve();
    artifacts.resolve();
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

  /** Returns whether nothing of the records is left to look at. */
  public boolean ofAllRecords() {
    return records.proveAll() && due.proveAll() && chunks.proveAll();
  }

  /** Returns whether nothing of the commands is left to look at. */
  public boolean ofAllCommands() {
    return commands.proveAll() && due.proveAll() && chunks.proveAll() && feed.proveAll();
  }

  /** Returns whether nothing of any task is left to look at. */
  public boolean ofAllTasks() {
    return tasks.proveAll() && outcomes.proveAll() && pointers.proveAll();
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

  public static long row(String tenant, long kind, String id) {
    return RowHash.of(tenant).add(kind).add(id).end();
  }

  public static long step(String tenant, String task, String step) {
    return RowHash.of(tenant).add(task).add(step).end();
  }

  /** Returns the hash of a command, by what its rows' keys begin with. */
  public static long command(String tenant, List<Object> head) {
    RowHash hash = RowHash.of(tenant);
    for (Object item : head) {
      hash = item instanceof Long number ? hash.add(number) : hash.add(item.toString());
    }
    return hash.end();
  }

  /** Returns the hash of a further row of a large value. */
  public static long chunk(byte[] head, long number) {
    return RowHash.of(number).add(head).end();
  }

  /** Returns the hash of a message at the event of a session. */
  public static long message(long event, String message) {
    return RowHash.of(event).add(message).end();
  }

  public static long event(String tenant, byte[] event) {
    return RowHash.of(tenant).add(event).end();
  }

  /** Returns the hash of an event and of a text that names what it is about. */
  public static long answer(long event, long text) {
    return RowHash.of(event).add(text).end();
  }

  public static long text(String text) {
    return RowHash.of(text).end();
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

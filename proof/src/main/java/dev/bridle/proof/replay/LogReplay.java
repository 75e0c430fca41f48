package dev.bridle.proof.replay;

import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.receipt.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Replays a task's log against the task's receipt, event by event, in memory that does not grow
 * with the log. Whether the receipt is genuine is for {@link
 * dev.bridle.proof.verify.ReceiptVerifier}; a log that matches a receipt of unknown origin proves
 * nothing. Not thread-safe.
 */
public final class LogReplay {
  private static final String EVENTS = "events";

  private final Receipt receipt;
  private final SegmentRequest request;
  private final LogDigester digester = new LogDigester();
  private final LifecycleFold lifecycle = new LifecycleFold();
  private final CountFold counts = new CountFold();
  private final List<ListFold> lists = new ArrayList<>();
  private Optional<SourceReceipt> source = Optional.empty();
  private Optional<ReplayFault> fault = Optional.empty();
  private long next;
  private long disclosed;

  /** Begins with the receipt of the task, whose log follows, and is all that is replayed. */
  public LogReplay(Receipt receipt) {
    this(receipt, SegmentRequest.LOG);
  }

  /**
   * Begins with the receipt of the task, whose log follows.
   *
   * @param request what has been replayed once the log is
   */
  public LogReplay(Receipt receipt, SegmentRequest request) {
    this.receipt = receipt;
    this.request = request;
    try {
      SourceReceipt stated = SourceReceipt.of(receipt);
      source = Optional.of(stated);
      lists.add(new ApprovalList(stated));
      lists.add(EventEntries.toolCalls(stated));
      lists.add(EventEntries.fileWrites(stated));
      lists.add(EventEntries.networkEgress(stated));
      lists.add(EventEntries.handoffs(stated));
      lists.add(EventEntries.dependencies(stated));
      lists.add(new ArtifactList(stated));
    } catch (ReplayException e) {
      fault = Optional.of(e.fault());
    }
  }

  /**
   * Takes the next line of the log.
   *
   * @param line one line of {@code GET /v1/tasks/{id}/log}, with or without its line feed
   * @return whether the replay goes on; after the first difference further lines are ignored
   */
  public boolean add(byte[] line) {
    if (fault.isPresent()) {
      return false;
    }
    try {
      accept(parse(line));
    } catch (ReplayException e) {
      fault = Optional.of(e.fault());
    }
    return fault.isEmpty();
  }

  /** Returns the number of events that were read. */
  public long events() {
    return next;
  }

  /** Returns the digest of the events that were read: the log's digest at its end. */
  public Sha256 digest() {
    return digester.soFar();
  }

  private LogLine parse(byte[] line) throws ReplayException {
    try {
      return LogLine.parse(line);
    } catch (IllegalArgumentException e) {
      throw new ReplayException(
          ReplayFault.diverged(next, "line", "an event as the log has it", e.getMessage()));
    }
  }

  private void accept(LogLine line) throws ReplayException {
    if (next == 0 && line.sequence() > 0) {
      throw new ReplayException(
          ReplayFault.unavailable(
              EVENTS,
              "all events from 0 on",
              "none before " + line.sequence() + ": retention may have removed them"));
    }
    if (line.sequence() != next) {
      throw new ReplayException(
          ReplayFault.diverged(next, "sequence", Long.toString(next), line.sequence() + ""));
    }
    if (line.disclosed().isPresent()) {
      Sha256 found = line.disclosed().get().commitment();
      if (!found.equals(line.commitment())) {
        throw new ReplayException(
            ReplayFault.diverged(
                next, "commitment", line.commitment().toString(), found.toString()));
      }
      disclosed++;
    }
    lifecycle.add(line);
    digester.add(line);
    counts.add(line);
    for (ListFold list : lists) {
      list.add(line);
    }
    next++;
  }

  /** Ends the log, and returns what was found; called once. */
  public ReplayReport finish() {
    List<ReplayCheck> checks = new ArrayList<>();
    Optional<SegmentReceipt> segment = Optional.empty();
    if (fault.isEmpty()) {
      try {
        SourceReceipt stated = source.orElseThrow();
        check(stated, checks);
        segment =
            Optional.of(
                SegmentReceipt.of(stated, request, digester.withheld(), digester.withheldDigest()));
      } catch (ReplayException e) {
        fault = Optional.of(e.fault());
        checks.clear();
      }
    }
    return new ReplayReport(
        receipt.identifiers().taskId(),
        receipt.id(),
        next,
        digester.withheld(),
        fault.isEmpty() ? Optional.of(lifecycle.state()) : Optional.empty(),
        fault,
        checks,
        segment);
  }

  private void check(SourceReceipt stated, List<ReplayCheck> checks) throws ReplayException {
    if (next == 0 && stated.events() > 0) {
      throw new ReplayException(
          ReplayFault.unavailable(EVENTS, stated.events() + " events", "none"));
    }
    if (next != stated.events()) {
      throw new ReplayException(
          ReplayFault.diverged(EVENTS, stated.events() + " events", next + " events"));
    }
    ReplayCheck ended = lifecycle.finish();
    Sha256 digest = digester.soFar();
    if (!digest.equals(stated.digest())) {
      throw new ReplayException(
          ReplayFault.diverged("log_digest", stated.digest().toString(), digest.toString()));
    }
    checks.add(ReplayCheck.passed("sequence", "events 0 to " + (next - 1) + ", none is missing"));
    checks.add(commitments());
    checks.add(ReplayCheck.passed("log_digest", digest.toString()));
    checks.add(ended);
    checks.add(lifecycle.finalState(stated));
    checks.add(lifecycle.times(stated));
    checks.add(counts.finish(stated));
    for (ListFold list : lists) {
      checks.add(list.finish());
    }
    for (String member : List.of("trust", "autonomy_budget", "model_route", "cost")) {
      checks.add(
          ReplayCheck.notDerivable(member, "events do not have all that the receipt sums up"));
    }
  }

  private ReplayCheck commitments() {
    String name = "commitments";
    return disclosed == next
        ? ReplayCheck.passed(name, "all " + next + " payloads are those that were committed")
        : ReplayCheck.notChecked(
            name,
            disclosed
                + " of "
                + next
                + " payloads are those that were committed; the others are erased or not disclosed");
  }
}

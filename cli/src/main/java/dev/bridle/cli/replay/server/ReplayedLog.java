package dev.bridle.cli.replay.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.replay.LogReplay;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.replay.ReplayFault.Kind;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.proof.replay.SegmentReceipt;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Trust;
import dev.bridle.proof.verify.Verdict;
import dev.bridle.proof.verify.Verification;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.WrongValue;
import io.grpc.Channel;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Replays the log of one task for a replay: checks its receipt, then each event, and compares what
 * follows from them with the receipt. It says how far it is by {@code replay.*} events, and leaves
 * the receipt of the segment as an artifact. Keys of its steps are the same in each run, so that a
 * run after a crash repeats nothing.
 */
final class ReplayedLog {
  private static final int PIECE = 1000;
  private static final String RECEIPT = "receipt";
  private static final String FAULT = "fault";
  private static final ReplayFault NO_FAULT =
      new ReplayFault(Kind.DIVERGED, OptionalLong.empty(), "", "", "");

  private final TaskContext replay;
  private final ReplayedOrigin origin;
  private final RecordedLog recorded;

  /**
   * Creates the replay of a log.
   *
   * @param replay the replay, which reports the events
   * @param origin the task whose log it is
   * @param channel a channel to the core with a credential that may read tasks, receipts and events
   */
  ReplayedLog(TaskContext replay, ReplayedOrigin origin, Channel channel) {
    this.replay = replay;
    this.origin = origin;
    this.recorded = new RecordedLog(channel, origin.originTaskId());
  }

  /**
   * What was found.
   *
   * @param fault the first difference; empty if there is none
   * @param events how many events were replayed
   * @param finalState how the task ended
   * @param segment the artifact with the segment's receipt; empty if there is a difference
   */
  record Found(
      Optional<ReplayFault> fault, long events, String finalState, Optional<Artifact> segment) {}

  /** Returns whether an earlier run has replayed the log to its end. */
  boolean isCompleted() {
    return replay.recorded(origin.key("completed"));
  }

  /** Says that the replay of the log begins. */
  void started() {
    replay.event(
        origin.key("started"),
        "replay.started",
        object()
            .put("source_task_id", origin.sourceTaskId())
            .put("origin_task_id", origin.originTaskId())
            .put("depth", origin.request().depth().spelling())
            .put("profile", SegmentReceipt.PROFILE));
  }

  /**
   * Replays the log to its end, or to the first difference. A difference that an earlier run has
   * found stands, also if the log is another one by now.
   */
  Found replay() {
    if (replay.recorded(origin.key(FAULT))) {
      return broken(kept(NO_FAULT));
    }
    try {
      return completed(compared(receipt()));
    } catch (Broken e) {
      return broken(kept(e.fault));
    }
  }

  /** Keeps a difference for runs after this one, and returns the one that is kept. */
  private ReplayFault kept(ReplayFault fault) {
    boolean isUnavailable = fault.kind() == Kind.UNAVAILABLE;
    ReplayFault copied =
        isUnavailable
            ? fault
            : new ReplayFault(fault.kind(), fault.sequence(), fault.what(), "", "");
    try {
      JsonNode kept = replay.step(origin.key(FAULT), () -> facts(copied));
      return new ReplayFault(
          kept.path("code").asText().equals(Kind.UNAVAILABLE.spelling())
              ? Kind.UNAVAILABLE
              : Kind.DIVERGED,
          kept.has("sequence")
              ? OptionalLong.of(kept.path("sequence").asLong())
              : OptionalLong.empty(),
          kept.path("what").asText(),
          kept.path("expected").asText(),
          kept.path("found").asText());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a difference can't be kept", e);
    }
  }

  private Receipt receipt() throws Broken {
    Optional<byte[]> bytes = recorded.receipt();
    if (bytes.isEmpty()) {
      throw new Broken(Kind.UNAVAILABLE, RECEIPT, "the receipt of the replayed task", "none");
    }
    Verification verified = new ReceiptVerifier(Trust.none()).verify(bytes.get());
    if (verified.verdict() == Verdict.INVALID || verified.receipt().isEmpty()) {
      throw new Broken(Kind.DIVERGED, RECEIPT, "a valid receipt", verified.summary());
    }
    Receipt receipt = verified.receipt().get();
    String task = receipt.identifiers().taskId();
    if (!task.equals(origin.originTaskId())) {
      throw new Broken(Kind.DIVERGED, RECEIPT, "of " + origin.originTaskId(), "of " + task);
    }
    Optional<String> doubt = recorded.doubtOf(receipt.id());
    if (doubt.isPresent()) {
      throw new Broken(
          Kind.UNAVAILABLE, RECEIPT, "a receipt whose signature is verified", doubt.get());
    }
    return receipt;
  }

  private ReplayReport compared(Receipt receipt) throws Broken {
    LogReplay log = new LogReplay(receipt, origin.request());
    recorded.read(
        line -> {
          boolean goesOn = log.add(line);
          if (goesOn && log.events() % PIECE == 0) {
            reached(log, log.events() - PIECE);
          }
          return goesOn;
        });
    long rest = log.events() % PIECE;
    if (rest > 0) {
      reached(log, log.events() - rest);
    }
    ReplayReport report = log.finish();
    if (report.fault().isPresent()) {
      throw new Broken(report.fault().get());
    }
    Optional<WrongValue> wrong = replay.wrongValue(origin.originTaskId());
    if (wrong.isPresent()) {
      throw new Broken(
          ReplayFault.diverged(
              wrong.get().sequence(),
              "recorded_value",
              wrong.get().committed(),
              wrong.get().found()));
    }
    String state = report.finalState().orElseThrow();
    if (!origin.endedAs(state)) {
      throw new Broken(Kind.DIVERGED, "final_state", origin.status().name(), state);
    }
    return report;
  }

  private void reached(LogReplay log, long from) {
    replay.event(
        origin.key("events:" + from),
        "replay.event_replayed",
        facts()
            .put("from", from)
            .put("to", log.events() - 1)
            .put("digest", log.digest().toString()));
  }

  /**
   * Returns what a difference is about. What the log and the receipt have there may be content that
   * is redacted later, so it is not copied: {@code bridle replay} shows it.
   */
  private ObjectNode facts(ReplayFault fault) {
    ObjectNode facts = facts().put("code", fault.kind().spelling());
    fault.sequence().ifPresent(sequence -> facts.put("sequence", sequence));
    facts.put("what", fault.what());
    if (fault.kind() == Kind.UNAVAILABLE) {
      facts.put("expected", fault.expected()).put("found", fault.found());
    }
    return facts;
  }

  private Found broken(ReplayFault fault) {
    replay.event(origin.key("failed"), "replay.failed", facts(fault));
    return new Found(Optional.of(fault), 0, "", Optional.empty());
  }

  private Found completed(ReplayReport report) {
    Receipt segment = report.segment().orElseThrow().unsigned();
    String state = origin.finalState().orElseGet(() -> report.finalState().orElseThrow());
    Artifact artifact =
        replay.artifact(
            origin.key("segment:" + segment.id()),
            ArtifactKind.ARTIFACT_KIND_RECEIPT,
            "application/json",
            segment.bytes());
    replay.event(
        origin.key("completed"),
        "replay.completed",
        facts()
            .put("events", report.events())
            .put("withheld", report.withheld())
            .put("final_state", state)
            .put("segment_receipt_id", segment.id())
            .put("segment_receipt_hash", segment.chain().receiptHash().toString())
            .put("artifact_id", artifact.getId()));
    return new Found(Optional.empty(), report.events(), state, Optional.of(artifact));
  }

  /** Returns facts that begin with the task that they are about, where there may be several. */
  private ObjectNode facts() {
    return origin.isOneOfMany() ? object().put("source_task_id", origin.sourceTaskId()) : object();
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Ends the replay of a log at its first difference. */
  private static final class Broken extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient ReplayFault fault;

    Broken(ReplayFault fault) {
      super(fault.toString());
      this.fault = fault;
    }

    Broken(Kind kind, String what, String expected, String found) {
      this(new ReplayFault(kind, OptionalLong.empty(), what, expected, found));
    }
  }
}

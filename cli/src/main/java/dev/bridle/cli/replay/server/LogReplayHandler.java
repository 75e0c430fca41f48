package dev.bridle.cli.replay.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.artifact.v1.ArtifactKind;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.replay.LogReplay;
import dev.bridle.proof.replay.ReplacedRun;
import dev.bridle.proof.replay.ReplayFault;
import dev.bridle.proof.replay.ReplayFault.Kind;
import dev.bridle.proof.replay.ReplayReport;
import dev.bridle.proof.replay.SegmentReceipt;
import dev.bridle.proof.replay.SegmentRequest;
import dev.bridle.proof.verify.ReceiptVerifier;
import dev.bridle.proof.verify.Verification;
import dev.bridle.task.v1.ReplayDepth;
import dev.bridle.task.v1.TaskReplay;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import io.grpc.Channel;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Replays the log of a task that has ended (protocol section "Replay contract"): checks the
 * receipt, then each event, and compares what follows from them with the receipt. It says how far
 * it is by {@code replay.*} events, and leaves the receipt of the segment as an artifact. Keys of
 * its steps are the same in each run, so that a run after a crash repeats nothing.
 */
public final class LogReplayHandler implements TaskHandler {
  private static final int PIECE = 1000;
  private static final String RECEIPT = "receipt";

  /** The step under which the core keeps how a handler has ended. */
  private static final String RUN_END = "replay:end";

  private final Channel channel;

  /**
   * Creates the handler.
   *
   * @param channel a channel to the core with a credential that may read tasks, receipts and events
   */
  public LogReplayHandler(Channel channel) {
    this.channel = channel;
  }

  @Override
  public TaskResult handle(TaskContext task) throws TaskFailure {
    TaskReplay replay = task.task().getReplay();
    RecordedLog recorded = new RecordedLog(channel, replay.getOriginTaskId());
    task.event(
        "replay:started",
        "replay.started",
        object()
            .put("source_task_id", replay.getSourceTaskId())
            .put("origin_task_id", replay.getOriginTaskId())
            .put("depth", depth(replay).spelling())
            .put("profile", SegmentReceipt.PROFILE));
    Optional<ReplacedRun> run = run(task);
    ReplayReport report = replay(task, recorded, receipt(task, recorded), run);
    if (report.fault().isPresent()) {
      throw broken(task, report.fault().get());
    }
    String state = report.finalState().orElseThrow();
    if (!replay.getOriginStatus().name().endsWith("_" + state)) {
      throw broken(
          task,
          new ReplayFault(
              Kind.DIVERGED,
              OptionalLong.empty(),
              "final_state",
              replay.getOriginStatus().name(),
              state));
    }
    return completed(task, report, run.map(ReplacedRun::finalState).orElse(state));
  }

  /** Returns what the task's handler did before, if recorded values were replaced. */
  private static Optional<ReplacedRun> run(TaskContext task) throws TaskFailure {
    if (task.task().getReplay().getOverrideKeysCount() == 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ReplacedRun(
              (ObjectNode)
                  task.step(
                      RUN_END,
                      () -> {
                        throw new IllegalStateException("the core keeps the end of each run");
                      })));
    } catch (TaskFailure | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Receipt receipt(TaskContext task, RecordedLog recorded) throws TaskFailure {
    Optional<byte[]> bytes = recorded.receipt();
    if (bytes.isEmpty()) {
      throw broken(task, Kind.UNAVAILABLE, "the receipt of the replayed task", "none");
    }
    Verification verified = new ReceiptVerifier(KeySet.EMPTY).verify(bytes.get());
    if (!verified.isValid() || verified.receipt().isEmpty()) {
      throw broken(task, Kind.DIVERGED, "a valid receipt", verified.summary());
    }
    Receipt receipt = verified.receipt().get();
    String origin = task.task().getReplay().getOriginTaskId();
    if (!receipt.identifiers().taskId().equals(origin)) {
      throw broken(task, Kind.DIVERGED, "of " + origin, "of " + receipt.identifiers().taskId());
    }
    Optional<String> doubt = recorded.doubtOf(receipt.id());
    if (doubt.isPresent()) {
      throw broken(task, Kind.UNAVAILABLE, "a receipt whose signature is verified", doubt.get());
    }
    return receipt;
  }

  private static TaskFailure broken(TaskContext task, Kind kind, String expected, String found) {
    return broken(task, new ReplayFault(kind, OptionalLong.empty(), RECEIPT, expected, found));
  }

  private static ReplayReport replay(
      TaskContext task, RecordedLog recorded, Receipt receipt, Optional<ReplacedRun> run) {
    LogReplay log = new LogReplay(receipt, request(task.task().getReplay(), run));
    recorded.read(
        line -> {
          boolean goesOn = log.add(line);
          if (goesOn && log.events() % PIECE == 0) {
            reached(task, log, log.events() - PIECE);
          }
          return goesOn;
        });
    long rest = log.events() % PIECE;
    if (rest > 0) {
      reached(task, log, log.events() - rest);
    }
    return log.finish();
  }

  private static SegmentRequest request(TaskReplay replay, Optional<ReplacedRun> run) {
    return new SegmentRequest(
        depth(replay),
        replay.hasCheckpoint()
            ? OptionalLong.of(replay.getCheckpoint().getSequence())
            : OptionalLong.empty(),
        run);
  }

  private static SegmentRequest.Depth depth(TaskReplay replay) {
    return replay.getDepth() == ReplayDepth.REPLAY_DEPTH_EXECUTE
        ? SegmentRequest.Depth.EXECUTE
        : SegmentRequest.Depth.LOG;
  }

  private static void reached(TaskContext task, LogReplay log, long from) {
    task.event(
        "replay:events:" + from,
        "replay.event_replayed",
        object()
            .put("from", from)
            .put("to", log.events() - 1)
            .put("digest", log.digest().toString()));
  }

  /**
   * Says what the first difference is about. What the log and the receipt have there may be content
   * that is redacted later, so it is not copied: {@code bridle replay} shows it.
   */
  private static TaskFailure broken(TaskContext task, ReplayFault fault) {
    String code = fault.kind().spelling();
    ObjectNode facts = object().put("code", code);
    fault.sequence().ifPresent(sequence -> facts.put("sequence", sequence));
    facts.put("what", fault.what());
    if (fault.kind() == Kind.UNAVAILABLE) {
      facts.put("expected", fault.expected()).put("found", fault.found());
    }
    task.event("replay:failed", "replay.failed", facts);
    ReplayFault copied =
        fault.kind() == Kind.UNAVAILABLE
            ? fault
            : new ReplayFault(fault.kind(), fault.sequence(), fault.what(), "", "");
    return new TaskFailure(code, copied.toString());
  }

  private static TaskResult completed(TaskContext task, ReplayReport report, String state) {
    Receipt segment = report.segment().orElseThrow().unsigned();
    Artifact artifact =
        task.artifact(
            "replay:segment:" + segment.id(),
            ArtifactKind.ARTIFACT_KIND_RECEIPT,
            "application/json",
            segment.bytes());
    task.event(
        "replay:completed",
        "replay.completed",
        object()
            .put("events", report.events())
            .put("withheld", report.withheld())
            .put("final_state", state)
            .put("segment_receipt_id", segment.id())
            .put("segment_receipt_hash", segment.chain().receiptHash().toString())
            .put("artifact_id", artifact.getId()));
    return TaskResult.of("Replayed " + report.events() + " events: " + state + ".")
        .withArtifact(artifact);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}

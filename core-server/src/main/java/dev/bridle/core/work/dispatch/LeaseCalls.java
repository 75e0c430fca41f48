package dev.bridle.core.work.dispatch;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.FencedWrite;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.work.replay.HandlerReplays;
import dev.bridle.core.work.report.ReportBatch;
import dev.bridle.core.work.report.Reports;
import dev.bridle.core.work.task.LeaseHolders;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.worker.v1.StepReport;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Runs the calls of workers about tasks: the reports that a call carries and its own work, in one
 * transaction.
 */
final class LeaseCalls {
  /** The maximum number of reports that a call carries, which the contract declares, too. */
  static final int MAX_EARLIER_REPORTS = 100;

  /** The maximum size of these reports: with the call's own work, far below a transaction's. */
  static final int MAX_EARLIER_BYTES = 1 << 20;

  private final Commands commands;
  private final TaskStores stores;
  private final Reports reports;

  LeaseCalls(Commands commands, TaskStores stores, Reports reports) {
    this.commands = commands;
    this.stores = stores;
    this.reports = reports;
  }

  /**
   * A call about a task.
   *
   * @param write which of the fenced writes it is
   * @param taskId the task
   * @param fence the lease's fencing token
   * @param earlier the reports that it carries
   * @param bytes about how large it is
   */
  record Call(FencedWrite write, String taskId, long fence, List<StepReport> earlier, long bytes) {
    private static final Set<FencedWrite> OF_PARKED =
        Set.of(FencedWrite.REPORT_STEP, FencedWrite.TAKE_MESSAGES, FencedWrite.END_ATTEMPT);

    /** Copies the reports. */
    Call {
      earlier = List.copyOf(earlier);
    }

    /** A call that is hardly larger than the reports that it carries. */
    Call(FencedWrite write, String taskId, long fence, List<StepReport> earlier) {
      this(write, taskId, fence, earlier, LeaseCalls.bytes(earlier));
    }

    /** Returns whether the call reports steps. */
    boolean reports() {
      return write == FencedWrite.REPORT_STEP || !earlier.isEmpty();
    }

    /** Returns whether the caller may make this call about the task now. */
    boolean isOf(TaskRecord record, Caller caller) {
      return OF_PARKED.contains(write)
          ? Fences.working(record, caller.actor(), fence)
          : Fences.held(record, caller.actor(), fence);
    }
  }

  /**
   * Applies a call's earlier reports if its lease is held, then its work.
   *
   * @param work checks the lease, does the call's work, and stores the change; runs in every
   *     attempt. It finds the lease no longer held if an earlier attempt freed it, which has
   *     applied the reports as well
   */
  <R> R run(Caller caller, Call call, Function<ReportBatch, R> work) {
    checkSize(call.earlier());
    Optional<R> response =
        commands.fenced(
            call.write(),
            call.bytes(),
            caller.tenant(),
            caller.actor(),
            write -> {
              TaskRecord before = stores.tasks().need(write.tr(), caller, call.taskId());
              if (call.reports()) {
                HandlerReplays.refuse(before, "reports nothing: the record answers its handler");
              }
              ReportBatch batch = new ReportBatch(reports, stores.change(write, before));
              boolean held = call.isOf(before, caller);
              if (held && !batch.applyAll(call.earlier())) {
                batch.change().save();
                return Optional.empty();
              }
              if (!held && !batch.knowsAll(call.earlier())) {
                // No repetition of a call that was applied: it would lose what it carries.
                throw LeaseHolders.lost(before.getTask().getStatus(), call.fence());
              }
              return Optional.of(work.apply(batch));
            });
    return response.orElseThrow(() -> Fences.ended(call.fence()));
  }

  /** Rejects more reports than one call may carry, by their size. */
  static void checkSize(List<StepReport> earlier) {
    long bytes = bytes(earlier);
    if (bytes > MAX_EARLIER_BYTES) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_PAYLOAD_TOO_LARGE,
              "The earlier reports are too large for one call; send fewer, or each by itself.")
          .with("bytes", bytes)
          .with("max_bytes", MAX_EARLIER_BYTES)
          .blaming("earlier_reports");
    }
  }

  private static long bytes(List<StepReport> earlier) {
    return earlier.stream().mapToLong(StepReport::getSerializedSize).sum();
  }
}

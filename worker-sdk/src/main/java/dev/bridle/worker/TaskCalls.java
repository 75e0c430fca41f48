package dev.bridle.worker;

import dev.bridle.worker.ReportBuffer.OnRefusal;
import dev.bridle.worker.v1.StepReport;
import dev.bridle.worker.v1.WorkerServiceGrpc.WorkerServiceBlockingStub;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The calls about one leased task, which carry the reports that wait.
 *
 * @param hold the state of the lease
 * @param core makes the calls
 * @param reports the reports that wait
 */
record TaskCalls(LeaseHold hold, CoreCalls core, ReportBuffer reports) {

  /** Makes an idempotent call as {@link ReportBuffer#carry} and {@link CoreCalls#call} do. */
  <T> T carry(
      OnRefusal onRefusal, BiFunction<WorkerServiceBlockingStub, List<StepReport>, T> call) {
    return reports.carry(onRefusal, earlier -> core.call(hold, stub -> call.apply(stub, earlier)));
  }

  /** Makes an idempotent call, unless an earlier report is rejected, which is thrown. */
  <T> T carry(BiFunction<WorkerServiceBlockingStub, List<StepReport>, T> call) {
    return carry(OnRefusal.THROW, call);
  }
}

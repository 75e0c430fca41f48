package dev.bridle.worker;

import com.google.protobuf.ByteString;
import dev.bridle.worker.v1.RecordedStep;
import dev.bridle.worker.v1.RecordedStep.ResultCase;
import dev.bridle.worker.v1.StepReport;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** The steps of a handler: where they are recorded, or what a replay answers them from. */
interface StepLog {
  /** Returns whether this or an earlier run has recorded a step. */
  boolean has(String stepKey);

  /** Returns a recorded value; empty if it has to be computed. */
  Optional<RecordedStep> value(String stepKey, String inputHash);

  /** Returns the answer to a question, or that it was withdrawn, if either is available. */
  Optional<RecordedStep> answer(String stepKey);

  /** Returns the result of a client's tool run, if it is available. */
  Optional<RecordedStep> hostTool(String stepKey);

  /** Caches a step that the core has recorded in this run. */
  void keep(RecordedStep step);

  /** Accepts a report without a result, unless it is already recorded. */
  void report(String stepKey, Consumer<StepReport.Builder> content);

  /** Records a step unless it is already recorded, and returns its record once it is durable. */
  RecordedStep record(String stepKey, ResultCase expected, Consumer<StepReport.Builder> report);

  /** Returns the key of the value that this thread is computing; empty if none. */
  String parent();

  /**
   * Computes a value that is about to be recorded. What the thread reports meanwhile has it as its
   * parent. A failure is reported too: a handler that goes on after it can only be replayed if the
   * failure is known.
   */
  <T> T compute(String stepKey, Callable<T> compute) throws Exception;

  /**
   * Records a value that was computed, and returns its record once it is durable. Does so even if
   * an earlier report is rejected, which a later call throws: the next run must not compute it
   * again.
   */
  RecordedStep recordValue(String stepKey, String inputHash, ByteString value);

  /** Describes a step key that is used for two kinds of steps. */
  static String otherKind(RecordedStep step, ResultCase expected) {
    return "step key `"
        + step.getStepKey()
        + "` is recorded as "
        + step.getResultCase()
        + ", expected "
        + expected
        + ": a step key must be used for the same step in every run";
  }
}

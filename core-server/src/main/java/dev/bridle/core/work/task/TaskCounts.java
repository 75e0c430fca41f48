package dev.bridle.core.work.task;

import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskTotals;
import dev.bridle.record.v1.TaskUsage;

/** Counts in a change of a task what it has made and used. Not thread-safe. */
public final class TaskCounts {
  /** The greatest sum that is kept, of tokens and calls, and of millionths of a currency unit. */
  public static final long MAX_SUM = 1_000_000_000_000_000L;

  private final TaskRecord.Builder record;

  TaskCounts(TaskRecord.Builder record) {
    this.record = record;
  }

  /** Counts a message of the task. */
  public void addMessage() {
    TaskTotals.Builder totals = record.getTotalsBuilder();
    totals.setMessages(totals.getMessages() + 1);
  }

  /** Counts new artifacts of the task. */
  public void addArtifacts(int added) {
    TaskTotals.Builder totals = record.getTotalsBuilder();
    totals.setArtifacts(totals.getArtifacts() + added);
  }

  /** Counts a recorded dependency of the task. */
  public void addDependency() {
    TaskTotals.Builder totals = record.getTotalsBuilder();
    totals.setDependencies(totals.getDependencies() + 1);
  }

  /**
   * Adds the usage of model calls: tokens, and cost in millionths of the currency unit. Each sum
   * stays at {@value #MAX_SUM} once it has reached that.
   */
  public void addModelUsage(long inputTokens, long outputTokens, long costMicros) {
    TaskUsage.Builder usage = record.getUsageBuilder();
    usage
        .setTokens(saturated(usage.getTokens(), inputTokens + outputTokens))
        .setInputTokens(saturated(usage.getInputTokens(), inputTokens))
        .setOutputTokens(saturated(usage.getOutputTokens(), outputTokens))
        .setCostMicros(saturated(usage.getCostMicros(), costMicros));
  }

  /** Returns the currency of the task's priced model calls; empty if there is none. */
  public String currency() {
    return record.getUsage().getCurrency();
  }

  /**
   * Adds the price of a model call, which fixes the task's currency if it is the first one. The sum
   * stays at {@value #MAX_SUM} once it has reached that.
   */
  public void addPrice(long costMicros, String currency) {
    TaskUsage.Builder usage = record.getUsageBuilder();
    long sum = usage.getPricedMicros() + costMicros;
    usage
        .setCurrency(currency)
        .setPricedMicros(Math.min(sum, MAX_SUM))
        .setPricedMicrosSaturated(usage.getPricedMicrosSaturated() || sum > MAX_SUM);
  }

  /** Counts tool calls: allowed actions and reported calls. */
  public void addToolCalls(long calls) {
    TaskUsage.Builder usage = record.getUsageBuilder();
    usage.setToolCalls(saturated(usage.getToolCalls(), calls));
  }

  /**
   * Returns a sum that stays at {@value #MAX_SUM} once it has reached that, far below 2^53: from
   * there on numbers in JSON are not exact.
   */
  static long saturated(long before, long added) {
    return Math.max(before, Math.min(before + added, MAX_SUM));
  }
}

package dev.bridle.worker;

import dev.bridle.worker.v1.UsageReport;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What a task has used, for the quotas that bind it.
 *
 * @param inputTokens tokens that a model read
 * @param outputTokens tokens that it wrote
 * @param cost what that cost, in the currency that the quotas count in
 * @param toolCalls calls of tools that needed no permission
 * @param model the model, for the record; empty: not said
 */
public record Usage(
    long inputTokens, long outputTokens, BigDecimal cost, int toolCalls, String model) {
  private static final int MICROS = 6;

  /** Returns what a call of a model used. */
  public static Usage ofModel(String model, long inputTokens, long outputTokens, BigDecimal cost) {
    return new Usage(inputTokens, outputTokens, cost, 0, model);
  }

  /** Returns calls of tools that needed no permission. */
  public static Usage ofTools(int calls) {
    return new Usage(0, 0, BigDecimal.ZERO, calls, "");
  }

  /** Fractions of a millionth count as a whole one, so that nothing is free by being small. */
  UsageReport report() {
    return UsageReport.newBuilder()
        .setInputTokens(inputTokens)
        .setOutputTokens(outputTokens)
        .setCostMicros(cost.setScale(MICROS, RoundingMode.CEILING).unscaledValue().longValueExact())
        .setToolCalls(toolCalls)
        .setModel(model)
        .build();
  }
}

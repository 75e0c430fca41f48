package dev.bridle.worker;

import dev.bridle.worker.v1.UsageReport;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The usage of a task, for its quotas.
 *
 * @param inputTokens input tokens of a model
 * @param outputTokens output tokens of a model
 * @param cost the cost, in the currency of the quotas
 * @param toolCalls tool calls that needed no permission
 * @param model the model, for information; empty if unknown
 */
public record Usage(
    long inputTokens, long outputTokens, BigDecimal cost, int toolCalls, String model) {
  private static final int MICROS = 6;

  /** Returns the usage of a model call. */
  public static Usage ofModel(String model, long inputTokens, long outputTokens, BigDecimal cost) {
    return new Usage(inputTokens, outputTokens, cost, 0, model);
  }

  /** Returns the usage of tool calls that needed no permission. */
  public static Usage ofTools(int calls) {
    return new Usage(0, 0, BigDecimal.ZERO, calls, "");
  }

  /** Rounds up to a millionth, so that small costs are not lost. */
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

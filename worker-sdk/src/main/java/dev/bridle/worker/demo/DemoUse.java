package dev.bridle.worker.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.Usage;
import java.math.BigDecimal;
import java.util.Optional;

/** The usage that the demo agent reports, to demonstrate quotas. */
final class DemoUse {
  private static final long MAX_TOKENS = 1_000_000_000;
  private static final BigDecimal MAX_COST = BigDecimal.valueOf(1_000_000);
  private static final int MAX_CALLS = 1_000_000;

  private DemoUse() {}

  /** Reads the member {@code use}: {@code {"tokens": 10, "cost": 0.5, "tool_calls": 1}}. */
  static Optional<Usage> of(JsonNode use) throws TaskFailure {
    if (use.isMissingNode() || use.isNull()) {
      return Optional.empty();
    }
    if (!use.isObject()) {
      throw DemoInput.bad("`use` is not an object");
    }
    BigDecimal cost = number(use, "cost", MAX_COST);
    long tokens = number(use, "tokens", BigDecimal.valueOf(MAX_TOKENS)).longValue();
    int calls = number(use, "tool_calls", BigDecimal.valueOf(MAX_CALLS)).intValue();
    return Optional.of(new Usage(0, tokens, cost, calls, "demo"));
  }

  private static BigDecimal number(JsonNode use, String member, BigDecimal most)
      throws TaskFailure {
    JsonNode value = use.path(member);
    if (value.isMissingNode()) {
      return BigDecimal.ZERO;
    }
    if (!value.isNumber()
        || value.decimalValue().signum() < 0
        || value.decimalValue().compareTo(most) > 0) {
      throw DemoInput.bad("`use." + member + "` is not a number from 0 to " + most);
    }
    return value.decimalValue();
  }
}

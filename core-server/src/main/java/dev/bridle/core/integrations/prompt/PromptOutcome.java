package dev.bridle.core.integrations.prompt;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.harp.document.Times;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.prompt.Prompt;
import dev.bridle.record.v1.PromptRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What became of a prompt.
 *
 * @param status its status
 * @param details what programs may want to know beside it
 */
record PromptOutcome(PromptStatus status, Map<String, String> details) {
  /** Refusals of a task that say that nobody may submit it, rather than that it went wrong. */
  private static final Set<ErrorCode> REFUSALS =
      Set.of(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          ErrorCode.ERROR_CODE_PERMISSION_DENIED,
          ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
          ErrorCode.ERROR_CODE_CONFLICT);

  PromptOutcome {
    details = new LinkedHashMap<>(details);
  }

  /** Returns the outcome of a prompt that was accepted. */
  static PromptOutcome of(PromptStatus status, PromptRecord prompt) {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("sessionId", prompt.getSessionId());
    details.put("taskId", prompt.getTaskId());
    return new PromptOutcome(status, details);
  }

  /** Returns the outcome of a prompt that is not stored. */
  static PromptOutcome unstored(PromptStatus status, String reason) {
    return new PromptOutcome(status, Map.of("reason", reason));
  }

  /**
   * Returns the outcome of a prompt whose task was refused.
   *
   * @throws ProtocolException if the prompt itself is refused, or may succeed later
   */
  static PromptOutcome refused(ProtocolException refusal, Prompt prompt) {
    if (refusal.details().containsKey("harp_code")) {
      throw refusal;
    }
    if (refusal.code() == ErrorCode.ERROR_CODE_RATE_LIMITED) {
      throw refusal
          .with("harp_code", HarpErrorCode.PROMPT_RATE_LIMIT.spelled())
          .with("reason", "quota")
          .with("request_id", prompt.requestId());
    }
    if (!REFUSALS.contains(refusal.code())) {
      throw refusal;
    }
    Map<String, String> details = new LinkedHashMap<>();
    details.put("reason", "policy");
    details.put("message", refusal.getMessage());
    return new PromptOutcome(PromptStatus.REJECTED, details);
  }

  /** Returns the {@code prompt.ack} that says so. */
  ObjectNode ack(Prompt prompt, long now) {
    ObjectNode ack =
        JsonNodeFactory.instance
            .objectNode()
            .put("requestId", prompt.requestId())
            .put("promptHash", prompt.hash())
            .put("status", status.spelled())
            .put("ackAt", Times.spell(Instant.ofEpochMilli(now)));
    ObjectNode said = ack.putObject("details");
    details.forEach(said::put);
    return ack;
  }
}

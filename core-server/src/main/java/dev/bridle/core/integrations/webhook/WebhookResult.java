package dev.bridle.core.integrations.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.webhook.v1.WebhookAttempt;
import java.time.Duration;
import java.util.Locale;

/**
 * The result of an attempt.
 *
 * @param sent whether the request was sent
 * @param accepted whether the receiver accepted it
 * @param retryable whether a retry may succeed
 * @param pause the delay that the receiver asks for
 */
record WebhookResult(boolean sent, boolean accepted, boolean retryable, Duration pause) {
  private static final int ANSWER_KEPT = 500;
  private static final Duration LONGEST_ASKED = Duration.ofHours(1);
  private static final WebhookResult ACCEPTED = new WebhookResult(true, true, false, Duration.ZERO);
  private static final WebhookResult NOT_SENT =
      new WebhookResult(false, false, true, Duration.ZERO);

  /** Records a response in an attempt. */
  static WebhookResult of(
      OutboundResponse answer, WebhookSecrets secrets, WebhookAttempt.Builder attempt) {
    attempt.setStatus(answer.status());
    String text = secrets.redact(new String(answer.body(), UTF_8)).replace('\0', ' ').strip();
    if (!text.isEmpty()) {
      attempt.setAnswer(
          text.codePointCount(0, text.length()) <= ANSWER_KEPT
              ? text
              : text.substring(0, text.offsetByCodePoints(0, ANSWER_KEPT)));
    }
    if (answer.ok()) {
      return ACCEPTED;
    }
    attempt.setCode("refused").setMessage("The answer was " + answer.status() + ".");
    return new WebhookResult(true, false, true, asked(answer));
  }

  /** Records a failed request in an attempt. */
  static WebhookResult of(OutboundException failure, WebhookAttempt.Builder attempt) {
    boolean url = failure.reason() == OutboundException.Reason.REFUSED_URL;
    attempt
        .setCode(failure.reason().name().toLowerCase(Locale.ROOT))
        .setMessage("The " + (url ? "URL " : "call ") + failure.getMessage() + ".");
    return switch (failure.reason()) {
      case BUSY -> NOT_SENT;
      case TOO_LARGE -> failed(false);
      default -> failed(true);
    };
  }

  /** Records in an attempt why no request was built. */
  static WebhookResult of(UnsentException failure, WebhookAttempt.Builder attempt) {
    attempt.setCode(failure.code()).setMessage(failure.getMessage());
    return failed(failure.retryable());
  }

  private static WebhookResult failed(boolean retryable) {
    return new WebhookResult(true, false, retryable, Duration.ZERO);
  }

  /** Returns the delay that a Retry-After header in seconds asks for; dates are ignored. */
  private static Duration asked(OutboundResponse answer) {
    return answer
        .header("retry-after")
        .filter(value -> value.matches("[0-9]{1,9}"))
        .map(value -> Duration.ofSeconds(Long.parseLong(value)))
        .map(wait -> wait.compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : wait)
        .orElse(Duration.ZERO);
  }
}

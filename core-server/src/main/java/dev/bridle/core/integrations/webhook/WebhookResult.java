package dev.bridle.core.integrations.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.core.kernel.outbound.OutboundException;
import dev.bridle.core.kernel.outbound.OutboundResponse;
import dev.bridle.webhook.v1.WebhookAttempt;
import java.time.Duration;
import java.util.Locale;

/**
 * What came of an attempt.
 *
 * @param sent whether there was one
 * @param taken whether the other side took it
 * @param passing whether trying again may help
 * @param pause how long the other side asks to wait
 */
record WebhookResult(boolean sent, boolean taken, boolean passing, Duration pause) {
  private static final int ANSWER_KEPT = 500;
  private static final Duration LONGEST_ASKED = Duration.ofHours(1);
  private static final WebhookResult TAKEN = new WebhookResult(true, true, false, Duration.ZERO);
  private static final WebhookResult NOT_SENT =
      new WebhookResult(false, false, true, Duration.ZERO);

  /** Notes what was answered. */
  static WebhookResult of(
      OutboundResponse answer, WebhookSecrets secrets, WebhookAttempt.Builder attempt) {
    attempt.setStatus(answer.status());
    String text = secrets.hiddenIn(new String(answer.body(), UTF_8)).replace('\0', ' ').strip();
    if (!text.isEmpty()) {
      attempt.setAnswer(
          text.codePointCount(0, text.length()) <= ANSWER_KEPT
              ? text
              : text.substring(0, text.offsetByCodePoints(0, ANSWER_KEPT)));
    }
    if (answer.ok()) {
      return TAKEN;
    }
    attempt.setCode("refused").setMessage("The answer was " + answer.status() + ".");
    return new WebhookResult(true, false, true, asked(answer));
  }

  /** Notes why there was no answer. */
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

  /** Notes why there was no request. */
  static WebhookResult of(UnsentException failure, WebhookAttempt.Builder attempt) {
    attempt.setCode(failure.code()).setMessage(failure.getMessage());
    return failed(failure.passing());
  }

  private static WebhookResult failed(boolean passing) {
    return new WebhookResult(true, false, passing, Duration.ZERO);
  }

  /** Returns how long an answer asks to wait, in seconds; dates are not read. */
  private static Duration asked(OutboundResponse answer) {
    return answer
        .header("retry-after")
        .filter(value -> value.matches("[0-9]{1,9}"))
        .map(value -> Duration.ofSeconds(Long.parseLong(value)))
        .map(wait -> wait.compareTo(LONGEST_ASKED) > 0 ? LONGEST_ASKED : wait)
        .orElse(Duration.ZERO);
  }
}

package dev.bridle.core.integrations.prompt;

import dev.bridle.core.integrations.layer.LayerErrors;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.error.HarpException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits how many prompts are accepted in a minute: of an actor, for a repository, and for a
 * session. Counted in the transaction that accepts, so that what is refused counts for nothing, and
 * all processes over one storage count together.
 */
final class PromptRates {
  /** The most prompts of an actor in a minute. */
  static final int MAX_PER_ACTOR = 120;

  /** The most prompts for a repository in a minute. */
  static final int MAX_PER_REPO = 240;

  /** The most prompts for a session in a minute. */
  static final int MAX_PER_SESSION = 60;

  private static final long MINUTE_MILLIS = 60_000;

  private final PromptStore store;

  PromptRates(PromptStore store) {
    this.store = store;
  }

  /** Counts a prompt that is about to be accepted; {@code rate_limited} beyond a limit. */
  void count(Write write, String requestId, PromptTarget target) {
    Map<String, Integer> limits = new LinkedHashMap<>();
    limits.put("actor\n" + write.actor(), MAX_PER_ACTOR);
    limits.put("repo\n" + target.repo().getId(), MAX_PER_REPO);
    limits.put("session\n" + target.session().getId(), MAX_PER_SESSION);
    long minute = write.nowMillis() / MINUTE_MILLIS;
    limits.forEach(
        (key, most) -> {
          int before = store.counted(write.tr(), write.tenant(), key, minute);
          if (before >= most) {
            throw tooMany(key.substring(0, key.indexOf('\n')), most, requestId, write.nowMillis());
          }
          store.count(write, key, minute, before + 1);
        });
  }

  private static ProtocolException tooMany(String whose, int most, String requestId, long now) {
    HarpException refusal =
        new HarpException(
            HarpErrorCode.PROMPT_RATE_LIMIT,
            "too_many_of_" + whose,
            "Too many prompts were sent in this minute; try again later.");
    return LayerErrors.of(refusal, requestId)
        .with("max_per_minute", most)
        .retryAfter((int) ((MINUTE_MILLIS - now % MINUTE_MILLIS + 999) / 1000));
  }
}

package dev.bridle.core.integrations.relay;

import dev.bridle.core.kernel.command.Write;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.UsageStore;
import dev.bridle.storage.layer.UsageStore.Counted;

/**
 * Counts what each party has sent in the current minute, in the transaction that accepts it: what
 * is refused counts for nothing, and all processes over one storage count together.
 */
final class PartyRates {
  private static final long MINUTE_MILLIS = 60_000;
  private static final String SUBMISSIONS = "submissions";
  private static final String DECISIONS = "decisions";

  /** How far below a limit counts are read with a conflict, so that concurrent calls keep it. */
  private static final int MARGIN = 64;

  private final UsageStore usage;
  private final RelayRates rates;

  PartyRates(KeyLayout layout, RelayRates rates) {
    this.usage = new UsageStore(layout);
    this.rates = rates;
  }

  /** Counts a new artifact of an enforcer; {@code rate_limited} if it has submitted too many. */
  void countSubmission(Write write, PartyId enforcer, String requestId) {
    count(write, enforcer, SUBMISSIONS, rates.submissions(), requestId);
  }

  /** Counts a new decision of an approver; {@code rate_limited} if it has sent too many. */
  void countDecision(Write write, PartyId approver, String requestId) {
    count(write, approver, DECISIONS, rates.decisions(), requestId);
  }

  private void count(Write write, PartyId party, String what, int most, String requestId) {
    Counted minute = new Counted(party.key(), what, write.nowMillis() / MINUTE_MILLIS);
    long seen = usage.sum(write.tr().snapshot(), write.tenant(), minute);
    if (seen >= most - MARGIN && usage.sum(write.tr(), write.tenant(), minute) >= most) {
      throw RelayErrors.tooMany(requestId, what, most, secondsToNextMinute(write.nowMillis()));
    }
    usage.forgetBefore(write.tr(), write.tenant(), minute);
    usage.add(write.tr(), write.tenant(), minute, requestId, 1);
  }

  private static int secondsToNextMinute(long now) {
    return (int) ((MINUTE_MILLIS - now % MINUTE_MILLIS + 999) / 1000);
  }
}

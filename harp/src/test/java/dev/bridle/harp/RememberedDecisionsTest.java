package dev.bridle.harp;

import dev.bridle.harp.core.Decision;
import java.time.Instant;

/** The record of the tests is one as the rule expects it. */
final class RememberedDecisionsTest extends ReplayRecordContract {
  private final RememberedDecisions remembered = new RememberedDecisions();

  @Override
  void use(Use use) throws Exception {
    use.with(remembered);
  }

  @Override
  void add(Decision decision, Instant now) throws Exception {
    remembered.add(decision);
  }
}

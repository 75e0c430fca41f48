package dev.bridle.cli.up;

import dev.bridle.fixtures.suite.AgentsProtocolSuite;
import dev.bridle.fixtures.suite.ServerUnderTest;
import dev.bridle.storage.kit.fault.FaultyStore;
import dev.bridle.storage.kit.fault.RandomPlan;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The whole suite of the protocol against a server whose storage fails at random, in ways that none
 * of its clients may notice: conflicts, unknown outcomes, slow and old reads, watches that are told
 * too early or late. {@code -Dbridle.faults.seed=N} runs another seed.
 */
@Tag("slow")
@DisplayName("The protocol under faults of seed " + FaultyAgentsProtocolIT.SEED)
final class FaultyAgentsProtocolIT extends AgentsProtocolSuite {
  static final long SEED = 31;

  @RegisterExtension
  static final RunningServer SERVER =
      new RunningServer(
          store -> new FaultyStore(store, RandomPlan.hidden(Long.getLong(RandomPlan.SEED, SEED))));

  @Override
  protected ServerUnderTest server() {
    return SERVER.description();
  }
}

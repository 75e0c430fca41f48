package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.fixtures.suite.CommandScript;
import dev.bridle.fixtures.suite.CommandScript.Choice;
import dev.bridle.fixtures.suite.CommandScript.Step;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Commands mean the same over REST and over a WebSocket. */
@Tag("slow")
final class SameCommandsIT {

  private static final RunningServer SERVER = new RunningServer();

  @BeforeContainer
  static void start() throws IOException {
    SERVER.open();
  }

  @AfterContainer
  static void stop() throws IOException {
    SERVER.closeAndCheck();
  }

  @Property(tries = 25, shrinking = ShrinkingMode.BOUNDED)
  void aSequenceOfCommandsLeavesTheSameAnswersAndTheSameEventsOverBoth(
      @ForAll("sequences") List<Choice> sequence) {
    assertThat(CommandScript.overSocket(SERVER.description(), sequence))
        .isEqualTo(CommandScript.overRest(SERVER.description(), sequence));
  }

  @Provide
  Arbitrary<List<Choice>> sequences() {
    Arbitrary<Choice> choice =
        Combinators.combine(Arbitraries.of(Step.class), Arbitraries.integers().between(0, 5))
            .as(Choice::new);
    return choice.list().ofMinSize(1).ofMaxSize(12);
  }
}

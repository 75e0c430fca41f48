package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.fixtures.audit.Markers;
import dev.bridle.fixtures.fuzz.FuzzFrame;
import dev.bridle.fixtures.fuzz.FuzzRequest;
import dev.bridle.fixtures.fuzz.FuzzRun;
import java.io.IOException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Requests for every operation of the served document, and frames of every type, nearly right or
 * wrong: nothing breaks the server, no answer breaks the protocol or holds a key, every task can be
 * ended, and what is stored is sound. A failure prints the request and jqwik's seed, which
 * {@code @Property(seed = …)} repeats.
 */
final class FuzzIT {
  private static final RunningServer SERVER = RunningServer.withPatience();
  private static FuzzRun run;

  @BeforeContainer
  static void start() throws IOException {
    SERVER.open();
    run = FuzzRun.on(SERVER.description(), new Markers());
  }

  @AfterProperty
  void allTasksEnd() {
    System.out.println(run.finish());
  }

  @AfterContainer
  static void stop() throws IOException {
    run.close();
    SERVER.closeAndCheck();
    assertCovered(run.requestCoverage());
    assertCovered(run.frameCoverage());
  }

  /** A run that is refused everywhere would find nothing. */
  private static void assertCovered(FuzzRun.Coverage coverage) {
    if (coverage.sent() >= 1000) {
      assertThat(coverage.untried()).as("what was never sent").isEmpty();
      assertThat(coverage.unsuccessful().size())
          .as("how many never succeeded: %s", coverage.unsuccessful())
          .isLessThanOrEqualTo(coverage.kinds() / 3);
    }
  }

  @Property(tries = 13_000, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void noRequestBreaksTheServer(@ForAll("requests") FuzzRequest request) {
    run.send(request);
  }

  @Property(tries = 5_000, shrinking = ShrinkingMode.OFF)
  @Tag("slow")
  void noFrameBreaksTheServer(@ForAll("frames") FuzzFrame frame) {
    run.send(frame);
  }

  @Provide
  Arbitrary<FuzzRequest> requests() {
    return Arbitraries.randomValue(run::request);
  }

  @Provide
  Arbitrary<FuzzFrame> frames() {
    return Arbitraries.randomValue(run::frame);
  }
}

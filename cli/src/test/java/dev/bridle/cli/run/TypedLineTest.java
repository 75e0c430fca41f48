package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.run.TypedLine.When;
import org.junit.jupiter.api.Test;

/** What a line means that is typed to an agent that works. */
final class TypedLineTest {
  @Test
  void theFirstWordSaysWhenTheAgentGetsIt() {
    assertThat(TypedLine.of("and test it")).isEqualTo(new TypedLine(When.NEXT, "and test it"));
    assertThat(TypedLine.of("/now stop it")).isEqualTo(new TypedLine(When.AT_ONCE, "stop it"));
    assertThat(TypedLine.of("/step\ttest")).isEqualTo(new TypedLine(When.AFTER_STEP, "test"));
    assertThat(TypedLine.of("/now")).isEqualTo(new TypedLine(When.AT_ONCE, ""));
  }

  @Test
  void wordsThatAreNotOursAreTheAgents() {
    assertThat(TypedLine.of("/nowhere x")).isEqualTo(new TypedLine(When.NEXT, "/nowhere x"));
    assertThat(TypedLine.of("//comment")).isEqualTo(new TypedLine(When.NEXT, "//comment"));
    assertThat(TypedLine.of(" /now x")).isEqualTo(new TypedLine(When.NEXT, " /now x"));
  }

  @Test
  void aSecondSlashPassesAWordOfOursOn() {
    assertThat(TypedLine.of("//now x")).isEqualTo(new TypedLine(When.NEXT, "/now x"));
    assertThat(TypedLine.of("//step")).isEqualTo(new TypedLine(When.NEXT, "/step"));
  }
}

package dev.bridle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

/** That a process which reads only one command runs it as the whole tree would. */
final class CommandTreeTest {
  private static final CommandLine WHOLE = CommandTree.of();

  @ParameterizedTest
  @FieldSource("dev.bridle.cli.CommandTree#NAMES")
  void aCommandThatIsReadAloneIsTheOneOfTheWholeTree(String name) {
    Map<String, CommandLine> alone = CommandTree.of(name, "--json").getSubcommands();

    assertSame(alone.get(name), WHOLE.getSubcommands().get(name));
    if (!name.equals("help")) {
      assertThat(alone).containsOnlyKeys(name);
    }
  }

  @Test
  void theHelpOfACommandIsReadWithIt() {
    assertThat(CommandTree.of("help", "up").getSubcommands()).containsOnlyKeys("up", "help");
  }

  @Test
  void everythingElseReadsAllCommands() {
    for (String word : new String[] {"--help", "help", "tusk", "@options"}) {
      assertThat(CommandTree.of(word).getSubcommands().keySet())
          .containsExactlyElementsOf(CommandTree.NAMES);
    }
  }

  private static void assertSame(CommandLine alone, CommandLine whole) {
    assertThat(alone.getUsageMessage()).isEqualTo(whole.getUsageMessage());
    assertThat(alone.getCommandName()).isEqualTo(whole.getCommandName());
    assertThat(alone.getSubcommands()).containsOnlyKeys(whole.getSubcommands().keySet());
    whole
        .getSubcommands()
        .forEach((name, command) -> assertSame(alone.getSubcommands().get(name), command));
  }
}

package dev.bridle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

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

  /** A type that the parser does not know is found only once somebody uses the option. */
  @Test
  void theParserKnowsTheTypeOfEveryOption() {
    assertThat(assertParsed(WHOLE, List.of())).as("options").isGreaterThan(100);
  }

  /** Returns how many options were tried, those of the commands below included. */
  private static int assertParsed(CommandLine command, List<String> path) {
    int tried = 0;
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (option.arity().max() > 0) {
        String[] words =
            Stream.concat(path.stream(), Stream.of(option.longestName(), "1"))
                .toArray(String[]::new);
        assertThat(refusal(words)).as("%s", List.of(words)).doesNotContain("TypeConverter");
        tried++;
      }
    }
    for (Map.Entry<String, CommandLine> each : command.getSubcommands().entrySet()) {
      List<String> below = new ArrayList<>(path);
      below.add(each.getKey());
      tried += assertParsed(each.getValue(), below);
    }
    return tried;
  }

  private static String refusal(String... words) {
    try {
      var unused = WHOLE.parseArgs(words);
      return "";
    } catch (ParameterException e) {
      return e.getMessage();
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

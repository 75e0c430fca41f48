package dev.bridle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/** That commands which nobody wrote explain themselves as well as those that somebody did. */
final class ResourceTableTest {
  @ParameterizedTest
  @MethodSource("dev.bridle.cli.ResourceTable#names")
  void everyCommandOfAResourceHasADescriptionAnExampleAndHelpForEachOption(String name) {
    assertDescribed(CommandTree.of(name).getSubcommands().get(name));
  }

  private static void assertDescribed(CommandLine command) {
    Help help = command.getHelpFactory().create(command.getCommandSpec(), command.getColorScheme());

    assertThat(help.description()).as(command.getCommandName()).isNotBlank();
    assertThat(help.footer()).as(command.getCommandName()).contains("bridle ");
    assertThat(help.commandSpec().args())
        .allSatisfy(
            arg -> assertThat(String.join("", arg.description())).as(arg.toString()).isNotBlank());
    command.getSubcommands().values().forEach(ResourceTableTest::assertDescribed);
  }
}

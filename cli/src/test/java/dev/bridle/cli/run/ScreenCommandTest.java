package dev.bridle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.process.Commands;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent's command by which it shows its own screen: nothing is started. */
final class ScreenCommandTest {
  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "opencode, opencode acp",
    "qwen, qwen --acp",
    "gemini, gemini --acp",
    "goose, goose acp",
    "claude, claude-agent-acp (npm install -g @agentclientprotocol/claude-agent-acp)",
    "codex, codex-acp (npm install -g @zed-industries/codex-acp)",
  })
  void theCommandToGiveInsteadIsNamed(String program, String instead) {
    Path data = directory.resolve("data");

    assertThat(
            Commands.run(ExitCodes.USAGE, "run", "--data-dir", data.toString(), "--", program)
                .err())
        .contains("'" + program + "' shows its own screen", "instead: " + instead);
    assertThat(Commands.run(ExitCodes.USAGE, "runtime", "test", "--", program).err())
        .contains("instead: " + instead);
    assertThat(data).doesNotExist();
  }
}

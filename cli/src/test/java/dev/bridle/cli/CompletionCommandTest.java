package dev.bridle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.cli.process.Commands;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompletionCommandTest {
  @TempDir private Path directory;

  @Test
  void theScriptCompletesCommandsAndOptionsInBash() throws Exception {
    Path bash = Path.of("/bin/bash");
    if (!Files.isExecutable(bash)) {
      System.out.println("Skipped: there is no /bin/bash");
    }
    assumeTrue(Files.isExecutable(bash), "there is no /bin/bash");
    Path script =
        Files.writeString(directory.resolve("completion"), Commands.run(0, "completion").out());

    assertThat(completed(bash, script, "runtime", "te")).contains("test");
    assertThat(completed(bash, script, "run", "--appr")).contains("--approve");
  }

  private static String completed(Path bash, Path script, String command, String begun)
      throws Exception {
    String line =
        "source '"
            + script
            + "'; COMP_WORDS=(bridle "
            + command
            + " "
            + begun
            + "); COMP_CWORD=2; _complete_bridle; echo \"${COMPREPLY[@]}\"";
    Process process =
        new ProcessBuilder(bash.toString(), "-c", line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}

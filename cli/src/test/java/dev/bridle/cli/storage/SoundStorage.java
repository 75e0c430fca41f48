package dev.bridle.cli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.cli.Bridle;
import dev.bridle.cli.console.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import picocli.CommandLine;

/** What every test that stops or kills a server asks at its end. */
public final class SoundStorage {
  private SoundStorage() {}

  /** Fails where {@code bridle storage check} finds anything, whether the server runs or not. */
  public static void check(Path dataDir) {
    StringWriter out = new StringWriter();
    CommandLine line = Bridle.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(out));
    int exitCode = line.execute("storage", "check", "--data-dir", dataDir.toString());
    line.getOut().flush();
    assertThat(out.toString()).contains("no problems found.");
    assertThat(exitCode).isEqualTo(ExitCodes.DONE);
  }
}

package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agents in {@code examples}, as a server starts them. */
final class ExampleAgentsIT {
  @TempDir private Path directory;

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"python3, agent.py", "node, agent.mjs"})
  void anExampleAsksAndWritesAFileOnceItMay(String interpreter, String example) throws Exception {
    boolean isThere = isThere(interpreter);
    String why = "This machine has no " + interpreter + ".";
    if (!isThere) {
      System.out.println("Skipped: the example " + example + ": " + why);
    }
    assumeTrue(isThere, why);
    Path program = Path.of("../examples").toAbsolutePath().normalize().resolve(example);
    try (RuntimeServer server = new RuntimeServer(directory, program)) {
      server.write(server.runtime("session"));
      server.start();
      String session = server.session();
      Path file = server.folder().resolve("notes.txt");

      String refused = server.submit(session, "forget it");
      server.awaitStatus(refused, "AUTH_REQUIRED");
      server.answer(refused, false, "");
      server.awaitStatus(refused, "COMPLETED");
      assertThat(server.text(refused)).isEqualTo("Not written.");
      assertThat(file).doesNotExist();

      String allowed = server.submit(session, "remember the milk");
      server.awaitStatus(allowed, "AUTH_REQUIRED");
      server.answer(allowed, true, "");
      server.awaitStatus(allowed, "COMPLETED");
      assertThat(server.text(allowed)).isEqualTo("Written.");
      assertThat(Files.readString(file)).isEqualTo("remember the milk");
    }
  }

  private static boolean isThere(String program) throws Exception {
    return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
  }
}

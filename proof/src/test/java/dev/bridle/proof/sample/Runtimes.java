package dev.bridle.proof.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of other languages that tests run where they are installed. */
public final class Runtimes {
  /**
   * What a program has printed.
   *
   * @param code its exit code
   * @param lines of its standard output; its errors go to those of the test
   */
  public record Result(int code, List<String> lines) {}

  private Runtimes() {}

  /** Skips the test, and says so, unless a program is installed. */
  public static void require(String program) throws InterruptedException {
    boolean installed;
    try {
      installed = run(List.of(program, "--version")).code() == 0;
    } catch (IOException e) {
      installed = false;
    }
    String reason = "Skipped: `" + program + "` is not installed.";
    if (!installed) {
      System.out.println(reason);
    }
    assumeTrue(installed, reason);
  }

  /** Runs a program to its end. */
  public static Result run(List<String> command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("bridle-proof-", ".out");
    try {
      Process process =
          new ProcessBuilder(new ArrayList<>(command))
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      int code = process.waitFor();
      return new Result(code, Files.readString(out, UTF_8).lines().toList());
    } finally {
      Files.delete(out);
    }
  }
}

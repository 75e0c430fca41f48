package dev.bridle.proof.replay;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.proof.sample.Runtimes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs of other languages that replay logs. */
enum ReplayProgram {
  NODE("node", "replay.mjs"),
  PYTHON("python3", "replay.py");

  private static final int NO_LIBRARY = 3;

  private final String runtime;
  private final String script;

  ReplayProgram(String runtime, String script) {
    this.runtime = runtime;
    this.script = script;
  }

  /** Runs the program with the keys of the fixtures; skips the test if it can't run here. */
  Runtimes.Result run(Path... files) throws IOException, InterruptedException {
    return run(List.of(), files);
  }

  /** Runs the program with further options. */
  Runtimes.Result run(List<String> options, Path... files)
      throws IOException, InterruptedException {
    return run(ReplayFixtures.FOLDER.resolve(ReplayFixtures.KEYS), options, files);
  }

  /** Runs the program with other keys. */
  Runtimes.Result run(Path keys, List<String> options, Path... files)
      throws IOException, InterruptedException {
    Runtimes.require(runtime);
    List<String> command = new ArrayList<>();
    command.add(runtime);
    command.add(ReplayFixtures.FOLDER.resolve(script).toString());
    command.add("--keys");
    command.add(keys.toString());
    command.addAll(options);
    for (Path file : files) {
      command.add(file.toString());
    }
    Runtimes.Result result = Runtimes.run(command);
    if (result.code() == NO_LIBRARY) {
      System.out.println("Skipped: " + runtime + " has neither PyNaCl nor cryptography.");
    }
    assumeTrue(result.code() != NO_LIBRARY, "no library for Ed25519");
    return result;
  }
}

package dev.bridle.cli.run;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bridle.cli.process.BuiltBridle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run of an agent that others made, recorded, with a scripted model.
 *
 * @param terminal the terminal of {@code bridle run}
 * @param agent the agent
 * @param model the model
 */
record LedRun(AtTerminal terminal, RecordedAgent agent, ScriptedModel model)
    implements AutoCloseable {

  /** Skips a test where an agent can't be had. */
  static void assumeThere(LedAgent agent) throws IOException, InterruptedException {
    AtTerminal.assumeThere();
    Optional<String> missing = agent.missing();
    missing.ifPresent(why -> System.out.println("Skipped: " + agent.id() + ": " + why));
    assumeTrue(missing.isEmpty(), missing::toString);
  }

  /**
   * Starts a run with one prompt.
   *
   * @param directory a folder with the folder {@code project}, in which the agent works, and its
   *     {@code home}
   * @param more further options of {@code bridle run}
   */
  static LedRun start(LedAgent agent, Path directory, Path data, ModelScript script, String... more)
      throws IOException {
    RecordedAgent recorded = RecordedAgent.make(agent, directory.resolve("bin"));
    ScriptedModel model = new ScriptedModel(script);
    Path home = Files.createDirectories(directory.resolve("home"));
    Map<String, String> variables = new HashMap<>(agent.variables(model, home));
    variables.put("HOME", home.toString());
    List<String> words = new ArrayList<>(List.of("run"));
    words.addAll(List.of("--dir", directory.resolve("project").toString()));
    words.addAll(List.of("--data-dir", data.toString(), "--prompt", "Make the file."));
    words.addAll(List.of(more));
    words.addAll(agent.options());
    words.addAll(List.of("--", recorded.program().toString()));
    words.addAll(agent.arguments());
    return new LedRun(
        AtTerminal.start(BuiltBridle.java().bridle(words), variables), recorded, model);
  }

  @Override
  public void close() {
    terminal.close();
    model.close();
  }
}

package dev.bridle.cli.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.run.ForeignAgents;
import dev.bridle.cli.run.HostileSettings;
import dev.bridle.cli.run.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents that we did not make, with a model that follows a script, for tasks over REST. */
@Tag("slow")
final class ForeignRuntimesIT {
  private static final Map<String, List<String>> ARGUMENTS =
      Map.of("opencode", List.of("acp"), "qwen", List.of("--acp"));

  @TempDir private Path directory;
  private ScriptedModel model;
  private Optional<RuntimeServer> server = Optional.empty();

  @BeforeEach
  void start() throws IOException, InterruptedException {
    Optional<String> missing = ForeignAgents.missing();
    missing.ifPresent(why -> System.out.println("Skipped: agents of others over REST: " + why));
    assumeTrue(missing.isEmpty(), missing::toString);
    model = new ScriptedModel("echo made > made.txt");
  }

  @AfterEach
  void stop() {
    server.ifPresent(RuntimeServer::close);
    if (model != null) {
      model.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"opencode", "qwen"})
  void aTaskIsDoneWhenItIsAllowedNotWhenItIsRefusedAndEndsWhenItIsCanceled(String agent)
      throws Exception {
    RuntimeServer running = serve(agent);
    String session = running.session();

    String refused = running.submit(session, "Make the file.");
    running.awaitStatus(refused, "AUTH_REQUIRED");
    assertThat(running.request(refused).at("/action/content/command").asText())
        .isEqualTo("echo made > made.txt");
    running.answer(refused, false, "Not on a Monday.");
    running.awaitEnd(refused);
    assertThat(model.said("user"))
        .anySatisfy(prompt -> assertThat(prompt).contains("The user's reason: Not on a Monday."));
    assertThat(running.folder().resolve("made.txt")).doesNotExist();

    String canceled = running.submit(session, "Make the file.");
    running.awaitStatus(canceled, "AUTH_REQUIRED");
    running.cancel(canceled);
    running.awaitStatus(canceled, "CANCELED");
    assertThat(running.folder().resolve("made.txt")).doesNotExist();

    String allowed = running.submit(session, "Make the file.");
    running.awaitStatus(allowed, "AUTH_REQUIRED");
    running.answer(allowed, true, "");
    running.awaitStatus(allowed, "COMPLETED");
    assertThat(running.folder().resolve("made.txt")).hasContent("made");
    assertThat(running.text(allowed)).contains(ScriptedModel.LAST_WORDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"opencode", "qwen"})
  void settingsOfTheWorkspaceNeitherAllowNorStartAnything(String agent) throws Exception {
    RuntimeServer running = serve(agent);
    String session = running.session();
    Files.createDirectories(running.folder());
    HostileSettings.plant(running.folder());

    String task = running.submit(session, "Make the file.");
    running.awaitStatus(task, "AUTH_REQUIRED");
    assertThat(running.request(task).at("/action/content/command").asText())
        .isEqualTo("echo made > made.txt");
    running.answer(task, false, "");
    running.awaitEnd(task);

    HostileSettings.assertNothingElseIn(running.folder());
  }

  private RuntimeServer serve(String agent) throws IOException {
    RuntimeServer made = new RuntimeServer(directory, Path.of(ForeignAgents.program(agent)));
    ObjectNode runtime = made.runtime("session");
    ARGUMENTS.get(agent).forEach(runtime.withArray("command")::add);
    ObjectNode variables = runtime.putObject("env");
    model.variables().forEach(variables::put);
    made.write(runtime);
    made.start();
    server = Optional.of(made);
    return made;
  }
}

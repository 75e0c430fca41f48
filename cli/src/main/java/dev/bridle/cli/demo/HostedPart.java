package dev.bridle.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.Timeouts;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.StreamEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * The second part of the demonstration: the server starts an agent, which asks, is allowed, acts,
 * and is killed before it reports that. It is started again, and has acted once.
 */
final class HostedPart {
  private static final String TEXT = "one fish two fish";
  private static final String SAID = "vendor.agent_host.text";

  private final Path directory;
  private final Narrator narrator;

  HostedPart(Path directory, Narrator narrator) {
    this.directory = directory;
    this.narrator = narrator;
  }

  /** Returns the options of a server that starts the agent. */
  List<String> options() {
    ObjectNode file = JsonLines.object();
    ObjectNode runtime = file.putObject("runtimes").putObject("publisher");
    JavaCommand.ofThisProcess()
        .running(DemoRuntime.class)
        .forEach(runtime.withArray("command")::add);
    try {
      Path folders = Files.createDirectories(directory.resolve("folders"));
      Path settings = Files.writeString(directory.resolve("runtimes.json"), file.toString());
      return List.of(
          "--no-demo-agent",
          "--workspace-root",
          folders.toString(),
          "--runtimes",
          settings.toString());
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The runtime can't be configured: " + e, e);
    }
  }

  /** Runs the part on a server that has been started with {@link #options}. */
  void run(ServerProcess server, RestClient client, Verdict verdict) {
    Job job = new Job(client);
    String workspace = job.createWorkspace("publish", "folder:publish", "demo-folder");
    String session = job.openSession(workspace, "demo-hosted-session");
    try (Reader reader = new Reader(client, session, narrator)) {
      String task = job.submitPrompt(session, TEXT, "demo-hosted");
      narrator.note("Submitted a task for an agent that the server starts: " + task);
      reader.await("The agent's question", Timeouts.DEMO_STEP, is("task.auth_required"));
      JsonNode asked = job.permissionRequest(task);
      narrator.note("It asks to write " + asked.at("/action/content/file_path").asText());
      verdict.check("it has not acted before it was allowed to", lines().isEmpty());
      job.allow(asked);
      reader.await("The action", Timeouts.DEMO_STEP, is(SAID));
      narrator.note("Allowed, and it has acted; killing the agent before it reports that");
      kill(server);
      reader.await("The end of the task", Timeouts.DEMO_STEP, StreamEvent::endsTask);
      narrator.note("Checks:");
      verdict.completed(job, "the task whose agent was killed", task);
      verdict.check("the agent that was started again has not acted again", lines().size() == 1);
      verdict.check(
          "the record says that the outcome of the allowed action was unknown",
          reader.events().stream().anyMatch(is("vendor.agent_host.outcome_unknown")));
    }
  }

  private static Predicate<StreamEvent> is(String kind) {
    return event -> event.kind().equals(kind);
  }

  private static void kill(ServerProcess server) {
    ProcessHandle.of(server.pid()).stream()
        .flatMap(ProcessHandle::descendants)
        .filter(
            process ->
                process.info().commandLine().orElse("").contains(DemoRuntime.class.getName()))
        .forEach(ProcessHandle::destroyForcibly);
  }

  private List<String> lines() {
    Path file = directory.resolve("folders/default/publish").resolve(DemoRuntime.FILE);
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The agent's file can't be read: " + e, e);
    }
  }
}

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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * The second part of the demonstration: the server starts an agent, which asks whether it may run a
 * command. The device of an approver signs that it may, it runs the command, and is killed before
 * it reports that. It is started again, and has acted once. Then anybody can verify who has signed.
 */
final class HostedPart {
  private static final String TEXT = "one fish two fish";
  private static final String SAID = "vendor.agent_host.text";
  private static final String REQUESTED = "vendor.bridle.decision_requested";

  private final Path directory;
  private final Narrator narrator;
  private final Device device;
  private final Receipts receipts;

  HostedPart(Path directory, Narrator narrator, Receipts receipts) {
    this.directory = directory;
    this.narrator = narrator;
    this.device = new Device(directory);
    this.receipts = receipts;
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
          "--harp-port",
          "0",
          "--workspace-root",
          folders.toString(),
          "--runtimes",
          settings.toString());
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The runtime can't be configured: " + e, e);
    }
  }

  /** Runs the part on a server that has been started with {@link #options}. */
  void run(ServerProcess server, RestClient client, String key, Verdict verdict) {
    Job job = new Job(client);
    device.enrol(client);
    narrator.note(
        "A device of " + Device.PRINCIPAL + " is enrolled, whose signature alone allows actions");
    String workspace = job.createWorkspace("publish", "folder:publish", "demo-folder");
    String session = job.openSession(workspace, "demo-hosted-session");
    try (Reader reader = new Reader(client, session, narrator)) {
      String task = job.submitPrompt(session, TEXT, "demo-hosted");
      narrator.note("Submitted a task for an agent that the server starts: " + task);
      String request = asked(reader);
      JsonNode asked = job.permissionRequest(task);
      narrator.note("It asks to run: " + asked.at("/action/content/command").asText());
      verdict.check("it has not acted before it was allowed to", lines().isEmpty());
      verdict.check("an API key with all scopes can't allow it", !job.allows(asked));
      approve(server, key, request);
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
      receipts.saveEvidence(client, task);
    }
  }

  /** Waits until the device is asked, and returns the id of what it is asked by. */
  private static String asked(Reader reader) {
    reader.await("The request to the device", Timeouts.DEMO_STEP, is(REQUESTED));
    return reader.events().stream()
        .filter(is(REQUESTED))
        .map(event -> event.body().at("/payload/request_id").asText())
        .findFirst()
        .orElseThrow();
  }

  private void approve(ServerProcess server, String key, String request) {
    URI relay = server.harpUrl().orElseThrow();
    narrator.note("The device, a process that alone has the key, is shown this and signs it:");
    device
        .approve(relay, new RestClient(relay, key), request)
        .forEach(line -> narrator.note("  | " + line));
    narrator.note(
        "(Key and agent are on one machine here, which separates nothing: in earnest, the key is"
            + " on a phone. 'bridle run --approve phone -- AGENT' shows the QR code that pairs"
            + " yours.)");
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

package dev.bridle.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.cli.console.Timeouts;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.StreamEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Runs the main use case through the public interface: one task works, another waits for an answer,
 * the server is killed and restarted, and both tasks complete; then an agent of the server's own is
 * allowed to act by a device's signature, and killed in the midst of the action.
 */
final class Demonstration {
  private static final int WORK_MILLIS = 4000;
  private static final int KILL_AFTER_STEPS = 12;
  private static final String TEXT = "one fish two fish red fish blue fish";

  private final Path directory;
  private final Narrator narrator;

  Demonstration(Path directory, Narrator narrator) {
    this.directory = directory;
    this.narrator = narrator;
  }

  /** Runs the demonstration and returns whether all checks passed. */
  boolean run() {
    ServerProcess server = start(0, 0, List.of());
    try {
      Job job = new Job(new RestClient(server.url(), key()));
      narrator.note("The server is ready at " + server.url() + ", process " + server.pid());
      String session = job.openSession();
      Receipts receipts = new Receipts(directory, narrator);
      Verdict verdict;
      try (Reader reader = new Reader(job.client(), session, narrator)) {
        String asking = job.submitQuestion(session, "Which text shall I count?", "demo-ask");
        narrator.note("Submitted a task that asks: " + asking);
        reader.await("The question", Timeouts.DEMO_STEP, is("task.input_required", asking));
        String working = job.submitWork(session, TEXT, WORK_MILLIS, "demo-work");
        narrator.note("Submitted a task of " + WORK_MILLIS + " ms of work: " + working);
        awaitSteps(reader, working);

        narrator.note("Killing process " + server.pid() + " with SIGKILL while it works");
        server.kill();
        List<StreamEvent> before = reader.events();
        server = start(server.url().getPort(), server.grpcPort(), List.of());
        narrator.note("Restarted on the same data, process " + server.pid());

        narrator.note("The question is still open: " + job.status(asking) + "; answering it");
        job.answer(asking, "red fish blue fish");
        reader.await("The end of the task that asked", Timeouts.DEMO_STEP, ends(asking));
        reader.await("The end of the task that worked", Timeouts.DEMO_STEP, ends(working));
        verdict = judge(job, reader, before, session, asking, working);
        receipts.save(job.client(), session);
      }
      server.close();
      verdict.check(
          "the receipts of both tasks verify offline, with the published keys, as one chain",
          receipts.verify(2));
      HostedPart hosted = new HostedPart(directory, narrator, receipts);
      server = start(0, 0, hosted.options());
      hosted.run(server, new RestClient(server.url(), key()), key(), verdict);
      server.close();
      verdict.check(
          "the evidence verifies offline: the device has signed exactly what was executed",
          receipts.verifyEvidence(Device.PRINCIPAL));
      return verdict.passed();
    } finally {
      server.close();
    }
  }

  private Verdict judge(
      Job job,
      Reader reader,
      List<StreamEvent> before,
      String session,
      String asking,
      String working) {
    List<JsonNode> history = job.history(session);
    String last = history.get(history.size() - 1).path("id").asText();
    reader.await("The last event", Timeouts.DEMO_STEP, event -> event.id().equals(last));
    List<JsonNode> outcomes = job.outcomes(working);
    narrator.note("Outcome: " + outcomes.get(0).path("summary").asText());
    String report = job.report(outcomes.get(0));
    narrator.note("Report:  " + report.replaceAll("\\s+", " "));
    narrator.note("Checks:");
    Verdict verdict = new Verdict(narrator);
    verdict.events(before, reader.events(), history);
    verdict.completed(job, "the task that ran during the kill", working);
    verdict.completed(job, "the task whose question was open during the kill", asking);
    verdict.check("its report contains the words of its input", report.contains("fish"));
    verdict.check(
        "submitting again with the same idempotency key returns the same task",
        job.submitWork(session, TEXT, WORK_MILLIS, "demo-work").equals(working));
    return verdict;
  }

  private static void awaitSteps(Reader reader, String task) {
    reader.await(
        "Progress of the task",
        Timeouts.DEMO_STEP,
        event -> event.taskId().equals(task) && event.sequence() >= KILL_AFTER_STEPS);
  }

  private ServerProcess start(int httpPort, int grpcPort, List<String> more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--data-dir",
                directory.resolve("data").toString(),
                "--api-key-file",
                directory.resolve("data").resolve("api.key").toString(),
                "--http-port",
                "" + httpPort,
                "--grpc-port",
                "" + grpcPort));
    options.addAll(more);
    return ServerProcess.start(
        JavaCommand.ofThisProcess(), directory.resolve("server.log"), options);
  }

  private String key() {
    try {
      return PrivateFile.read(directory.resolve("data").resolve("api.key"));
    } catch (IOException e) {
      throw new CommandFailed(ExitCodes.FAILED, "The server wrote no API key: " + e, e);
    }
  }

  private static Predicate<StreamEvent> is(String kind, String task) {
    return event -> event.kind().equals(kind) && event.taskId().equals(task);
  }

  private static Predicate<StreamEvent> ends(String task) {
    return event -> event.endsTask() && event.taskId().equals(task);
  }
}

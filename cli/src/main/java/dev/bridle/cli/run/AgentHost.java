package dev.bridle.cli.run;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.api.v1.Visibility;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** Hosts the agent of a folder: each session has a process of it, each task is one prompt. */
final class AgentHost implements TaskHandler, AutoCloseable {
  private static final int STARTS = 3;
  private static final String PROMPTED = "prompted";

  private final AgentLauncher launcher;
  private final AgentStart start;
  private final Path folder;
  private final ScheduledExecutorService timer;
  private final Consumer<Initialized> introduced;
  private final Map<String, HostedSession> sessions = new ConcurrentHashMap<>();

  /**
   * Creates the host.
   *
   * @param folder the folder that the agent works in
   * @param introduced is told each time how a started agent introduces itself
   */
  AgentHost(
      AgentLauncher launcher,
      AgentStart start,
      Path folder,
      ScheduledExecutorService timer,
      Consumer<Initialized> introduced) {
    this.launcher = launcher;
    this.start = start;
    this.folder = folder;
    this.timer = timer;
    this.introduced = introduced;
  }

  AgentLauncher launcher() {
    return launcher;
  }

  Path folder() {
    return folder;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  void started(Initialized agent) {
    introduced.accept(agent);
  }

  AgentCommand command() {
    return new AgentCommand(
        "agent", start.arguments(), folder, start.environment(), OptionalLong.empty());
  }

  @Override
  public TaskResult handle(TaskContext task) throws Exception {
    HostedSession session =
        sessions.computeIfAbsent(task.task().getSessionId(), id -> new HostedSession(this));
    session.enter(task);
    try {
      return handle(task, session);
    } finally {
      session.leave();
    }
  }

  private TaskResult handle(TaskContext task, HostedSession session) throws Exception {
    needFolder(task);
    String prompt = task.input().text().orElse("");
    if (prompt.isBlank()) {
      throw new TaskFailure("empty_prompt", "The task's input has no text to prompt with.");
    }
    AllowedActions allowed = new AllowedActions(task);
    allowed.takeUp();
    String run = UUID.randomUUID().toString().substring(0, 8);
    TaskReports reports = new TaskReports(task, allowed, run);
    UserWords words = UserWords.of(task, timer);
    String why = "";
    for (int attempt = 1; attempt <= STARTS; attempt++) {
      AgentTurn turn = new AgentTurn(task, reports, allowed, folder, start.asks(), words);
      AcpSession agent = session.open(task, turn);
      boolean again = task.recorded(PROMPTED) || attempt > 1;
      String said = words.prompt().map(more -> "\n\n" + more).orElse("");
      String text = again ? goOn(prompt + words.told(), allowed.unknown()) : prompt + said;
      if (attempt == 1) {
        task.event(
            PROMPTED,
            "vendor.agent_host.prompted",
            JsonNodeFactory.instance.objectNode().put("agent_session", agent.id()),
            Visibility.VISIBILITY_PUBLIC);
        task.flush();
      }
      try {
        TaskResult result = result(turn.run(agent, text), reports);
        while (!task.complete(result)) {
          words.take(); // The user said more just before the end.
          Optional<String> more = words.prompt();
          if (more.isPresent()) {
            result = result(turn.run(agent, more.get()), reports);
          }
        }
        return result;
      } catch (AgentLost e) {
        why = e.getMessage();
        session.stop();
        task.event(
            reports.key("restart", attempt),
            "vendor.agent_host.restarted",
            JsonNodeFactory.instance.objectNode().put("reason", why));
      } finally {
        allowed.lose();
      }
    }
    throw new TaskFailure("agent_lost", "The agent ended " + STARTS + " times: " + why);
  }

  /** Approvals are shown with the workspace's folder, so the agent must work in no other one. */
  private void needFolder(TaskContext task) throws TaskFailure {
    String given = task.folder().orElse("(none)");
    if (!given.equals(folder.toString())) {
      throw new TaskFailure(
          "wrong_folder",
          "The task is for the folder " + given + "; this agent works in " + folder);
    }
  }

  /** What an agent is told that was stopped in the middle: no message of the user. */
  private static String goOn(String prompt, List<String> unknown) {
    return "You were restarted in the middle of a task. What was running then may have been done or"
        + " not: look before you repeat it."
        + unknown.stream().map(title -> "\n- allowed, outcome unknown: " + title).collect(joining())
        + "\nGo on with the task, which was:\n\n"
        + prompt;
  }

  private static TaskResult result(PromptEnd end, TaskReports reports) throws TaskFailure {
    reports.throwIfFailed();
    return switch (end.reason()) {
      case END_TURN -> TaskResult.of(reports.summary());
      case CANCELLED ->
          throw new TaskFailure("agent_cancelled", "The agent stopped its turn by itself.");
      case REFUSAL -> throw new TaskFailure("refusal", "The agent refused to go on.");
      case MAX_TOKENS, MAX_TURN_REQUESTS, UNKNOWN ->
          throw new TaskFailure(
              end.spelled().matches("[a-z_]{1,64}") ? end.spelled() : "agent_stopped",
              "The agent stopped before it was done: " + end.spelled());
    };
  }

  @Override
  public void close() {
    sessions.values().forEach(HostedSession::stop);
  }
}

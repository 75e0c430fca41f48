package dev.bridle.host.task;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.OpenedSession;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.SessionPhase;
import dev.bridle.host.bridge.BridgeHandler;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.RestartPolicy;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import dev.bridle.worker.TaskHandler;
import dev.bridle.worker.TaskResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Hosts an agent: each session has a session of the agent, each task is one prompt. */
public final class AgentHost implements TaskHandler, AutoCloseable {
  private static final RestartPolicy RESTARTS = RestartPolicy.DEFAULT;
  private static final String PROMPTED = "prompted";
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

  private final HostSettings settings;
  private final Workplace workplace;
  private final Offers offers;
  private final ScheduledExecutorService timer;
  private final CommandRunner commands;
  private final AskingRules asking;
  private final HostedSessions sessions;
  private final Future<?> idleEnds;

  /**
   * Creates the host.
   *
   * @param workplace says where the agent of a task works
   * @param memory what the processes of all hosts may have together
   * @param offers what agents may ask of this host beside permissions
   * @param timer runs timeouts and looks; it may serve many hosts
   * @param introductions is told each time how a started agent introduces itself
   */
  public AgentHost(
      AgentLauncher launcher,
      HostSettings settings,
      Workplace workplace,
      MemoryBudget memory,
      Offers offers,
      ScheduledExecutorService timer,
      Introductions introductions) {
    this.settings = settings;
    this.workplace = workplace;
    this.offers = offers;
    this.timer = timer;
    this.asking =
        new AskingRules(
            settings.start().mustAsk(),
            settings.start().asksForAll(),
            settings.hold(),
            !launcher.isolation().tier().hidesFiles(),
            settings.signedOnly(),
            settings.start().requests());
    this.commands = new CommandRunner(launcher, settings.start().environment(), timer);
    this.sessions =
        new HostedSessions(new AgentProcesses(launcher, settings, memory, timer, introductions));
    Duration idleEnd = settings.bounds().idleEnd();
    long look = Math.min(LONGEST_LOOK.toMillis(), Math.max(1, idleEnd.toMillis() / 4));
    this.idleEnds =
        timer.scheduleWithFixedDelay(
            () -> sessions.endIdle(idleEnd), look, look, TimeUnit.MILLISECONDS);
  }

  @Override
  public TaskResult handle(TaskContext task) throws Exception {
    String id = task.task().getSessionId();
    HostedSession session = sessions.take(id);
    try {
      session.enter(task);
      try {
        return handle(task, session);
      } finally {
        if (settings.scope() == ProcessScope.TASK) {
          session.stop();
        } else {
          session.stopUnlessBetweenTurns();
        }
        session.leave();
      }
    } finally {
      sessions.giveBack(id);
    }
  }

  @Override
  public String keysOfOneRun() {
    return TaskReports.EVENT_KEYS;
  }

  private TaskResult handle(TaskContext task, HostedSession session) throws Exception {
    Path folder = workplace.folder(task);
    FolderFiles files = files(folder);
    UserWords words = UserWords.of(task, timer);
    try {
      return handle(task, session, folder, files, words);
    } catch (TaskFailure e) {
      leaveUnsaid(task, session, words);
      throw e;
    }
  }

  /** What the user said as the task failed is heard with the session's next prompt. */
  private static void leaveUnsaid(TaskContext task, HostedSession session, UserWords words) {
    words.take();
    Optional<String> unsaid = words.close();
    if (unsaid.isPresent()) {
      session.leaveUnsaid(unsaid.get());
      session.keep(task);
    }
  }

  private TaskResult handle(
      TaskContext task, HostedSession session, Path folder, FolderFiles files, UserWords words)
      throws Exception {
    String prompt = task.input().text().orElse("");
    AllowedActions allowed = new AllowedActions(task);
    allowed.takeUp();
    String run = UUID.randomUUID().toString().substring(0, 8);
    ServedCalls served = new ServedCalls();
    TaskReports reports =
        new TaskReports(task, allowed, session.cost(), new SkillIds(offers.skills()), served, run);
    TaskTools tools = new TaskTools(task, files, commands, reports, served, allowed, asking);
    String why = "";
    for (int attempt = 1; attempt <= 1 + RESTARTS.restarts(); attempt++) {
      if (attempt > 1) {
        task.pause(RESTARTS.pauseBefore(attempt - 1));
      }
      AgentTurn turn = new AgentTurn(task, reports, allowed, folder, asking, words, tools);
      AcpSession agent = session.open(folder, task, turn, bridge(session), sessions::makeRoom);
      Optional<OpenedSession> opened = session.takeOpened();
      prompt = UserWords.before(session.takeUnsaid(), prompt);
      String said = words.prompt().map(more -> "\n\n" + more).orElse("");
      boolean blank = (prompt + words.heardBefore() + said).isBlank();
      List<String> earlier =
          session.needsTranscript() && !blank ? SessionTranscript.messages(task) : List.of();
      opened.ifPresent(o -> reports.host(HostEvents.OPENED, opened(o, earlier.size())));
      if (blank && agent.phase() != SessionPhase.WAITING) {
        throw new TaskFailure(
            "empty_prompt",
            "The task's input has no text to prompt with, and no agent waits to be woken.");
      }
      boolean again = !blank && (task.recorded(PROMPTED) || attempt > 1);
      String text =
          again
              ? goOn(prompt + words.heardBefore(), allowed.unknown())
              : blank || prompt.isBlank() ? said.strip() : prompt + said;
      String whole = SessionTranscript.prepend(earlier, text);
      if (attempt == 1) {
        task.event(
            PROMPTED, "vendor.agent_host.prompted", prompted(agent), Visibility.VISIBILITY_PUBLIC);
        task.flush();
      }
      try {
        Runnable keep =
            () -> {
              session.markTranscriptReceived();
              session.keep(task);
            };
        TaskResult result = result(turn.run(agent, whole, keep), agent, reports);
        while (true) {
          keep.run();
          Optional<String> more = words.close();
          if (more.isEmpty() && task.complete(result)) {
            return result;
          }
          words.reopen(); // The user said more just before the end.
          more = more.isPresent() ? more : words.prompt();
          if (more.isPresent()) {
            result = result(turn.run(agent, more.get(), keep), agent, reports);
          }
        }
      } catch (AgentLost e) {
        Optional<LastWords> last = session.lastWords();
        Optional<String> excess = session.memoryExcess();
        session.keep(task);
        session.stop();
        if (excess.isPresent()) {
          // Another one would come to the same, and do again what it had done.
          throw new TaskFailure(
              "agent_memory",
              KeptText.of(
                  excess.get() + last.map(LastWords::sentence).orElse("") + ".",
                  KeptText.MOST_FAILURE));
        }
        why = e.getMessage() + last.map(LastWords::sentence).orElse("");
        ObjectNode lost = JsonNodeFactory.instance.objectNode().put("reason", e.getMessage());
        last.ifPresent(known -> known.putInto(lost));
        task.event(reports.key("restart", attempt), "vendor.agent_host.restarted", lost);
      } finally {
        allowed.lose();
        served.clear();
      }
    }
    throw new TaskFailure(
        "agent_lost",
        KeptText.of(
            "The agent ended " + (1 + RESTARTS.restarts()) + " times: " + why,
            KeptText.MOST_FAILURE));
  }

  private static FolderFiles files(Path folder) throws TaskFailure {
    try {
      return new FolderFiles(RootFolder.of(folder));
    } catch (IOException e) {
      throw new TaskFailure("no_folder", "The folder " + folder + " can't be read: " + e, e);
    }
  }

  private static ObjectNode opened(OpenedSession opened, int transcriptMessages) {
    ObjectNode payload =
        JsonNodeFactory.instance
            .objectNode()
            .put("agent_session", opened.session().id())
            .put("how", opened.how().name().toLowerCase(Locale.ROOT));
    return transcriptMessages > 0
        ? payload.put("transcript_messages", transcriptMessages)
        : payload;
  }

  private ObjectNode prompted(AcpSession agent) {
    ObjectNode payload = JsonNodeFactory.instance.objectNode().put("agent_session", agent.id());
    settings.chosen().mode().ifPresent(mode -> payload.put("mode", mode));
    if (!settings.chosen().options().isEmpty()) {
      settings.chosen().options().forEach(payload.putObject("options")::put);
    }
    return payload;
  }

  /** What an agent sends that is no part of a session belongs to the turn that it is in. */
  private BridgeHandler bridge(HostedSession session) {
    Supplier<Optional<AgentTurn>> now =
        settings.scope() == ProcessScope.DAEMON ? this::onlyTurn : session::turn;
    return new BridgeHandler(offers.to(now), new BridgeReports(now));
  }

  /** A daemon does not say for which of its sessions it asks. */
  private Optional<AgentTurn> onlyTurn() {
    Collection<AgentTurn> turns = sessions.turns();
    return turns.size() == 1 ? Optional.of(turns.iterator().next()) : Optional.empty();
  }

  /** What an agent is prompted with that was stopped in the middle: no message of the user. */
  private static String goOn(String prompt, List<String> unknown) {
    return "You were restarted in the middle of a task. What was running then may have been done or"
        + " not: look before you repeat it."
        + unknown.stream().map(title -> "\n- allowed, outcome unknown: " + title).collect(joining())
        + "\nGo on with the task, which was:\n\n"
        + prompt;
  }

  private TaskResult result(PromptEnd end, AcpSession agent, TaskReports reports)
      throws TaskFailure {
    reports.throwIfFailed();
    reports.message();
    return switch (end.reason()) {
      case END_TURN -> TaskResult.of(reports.summary()).withSessionIdle(waits(agent));
      case CANCELLED ->
          throw new TaskFailure("agent_cancelled", "The agent stopped its turn by itself.");
      case REFUSAL -> throw new TaskFailure("refusal", "The agent refused to go on.");
      case MAX_TOKENS, MAX_TURN_REQUESTS ->
          throw new TaskFailure(end.spelled(), StoppedTurn.message(end));
      case UNKNOWN -> throw new TaskFailure("agent_stopped", StoppedTurn.message(end));
    };
  }

  /** Returns whether the agent goes on after the task, and waits for the next one. */
  private boolean waits(AcpSession agent) {
    return agent.phase() == SessionPhase.WAITING && settings.scope() != ProcessScope.TASK;
  }

  @Override
  public void close() {
    idleEnds.cancel(false);
    sessions.stop();
  }
}

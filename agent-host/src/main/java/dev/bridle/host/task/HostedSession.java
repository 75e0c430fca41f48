package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.CallUpdate;
import dev.bridle.host.acp.OpenedSession;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.acp.SessionHistory;
import dev.bridle.host.acp.SessionListener;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.bridge.BridgeHandler;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The agent of one session, which outlives a task. One task at a time. */
final class HostedSession {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SESSION = "session";
  private static final String FOLDER = "folder";
  private static final String HISTORY = "history";
  private static final String NEEDS_TRANSCRIPT = "needs_transcript";
  private static final String UNSAID = "unsaid";

  /** How much of what the agent has yet to get is kept for another process of this host. */
  private static final int MOST_UNSAID = 2000;

  private final AgentProcesses processes;
  private final SessionCost cost = new SessionCost();
  private final Semaphore turn = new Semaphore(1);
  private volatile Optional<AgentTurn> listener = Optional.empty();
  private volatile long idleSince = System.nanoTime();

  /** Changed by whoever has the turn. */
  private volatile Optional<Running> running = Optional.empty();

  /** What was kept last for the session's next tasks; used by whoever has the turn. */
  private String kept = "";

  /** Whether the agent has yet to get the transcript; used by whoever has the turn. */
  private boolean needsTranscript;

  /** What the user has said that the agent has yet to get; used by whoever has the turn. */
  private String unsaid = "";

  /** How the agent's session was opened, until it is reported; used by whoever has the turn. */
  private Optional<OpenedSession> unreported = Optional.empty();

  private record Running(
      Path folder, RunningAgent agent, OpenedSession opened, Forwarding forwarding) {}

  HostedSession(AgentProcesses processes) {
    this.processes = processes;
  }

  /** Waits until no other task uses the agent. */
  void enter(TaskContext task) throws InterruptedException {
    while (!turn.tryAcquire(200, TimeUnit.MILLISECONDS)) {
      task.throwIfCancelled();
    }
  }

  void leave() {
    listener = Optional.empty();
    idleSince = System.nanoTime();
    turn.release();
  }

  /** Returns the turn that the agent is in now. */
  Optional<AgentTurn> turn() {
    return listener;
  }

  /** Returns what the agent's session has cost. */
  SessionCost cost() {
    return cost;
  }

  /** Returns since when no task uses the agent, as {@link System#nanoTime} counts. */
  long idleSince() {
    return idleSince;
  }

  /** Returns why its agent has ended, in words, if it was for its memory. */
  Optional<String> memoryExcess() {
    return running.flatMap(agent -> agent.agent().process().memoryExcess());
  }

  /** Returns what is known of an agent that was lost; empty if there is none. */
  Optional<LastWords> lastWords() {
    Optional<Running> lost = running;
    return lost.isEmpty()
        ? Optional.empty()
        : Optional.of(
            LastWords.of(lost.get().agent().process(), lost.get().agent().connection().peer()));
  }

  boolean hasProcess() {
    return running.isPresent();
  }

  /** Ends the agent unless a task uses it; returns whether it has ended one. */
  boolean stopIfIdle() {
    if (!turn.tryAcquire()) {
      return false;
    }
    try {
      boolean was = running.isPresent();
      stop();
      return was;
    } finally {
      turn.release();
    }
  }

  /**
   * Returns the agent's session, with a started agent. What happens in it is passed to the turn
   * until {@link #leave}.
   *
   * @param bridge takes what the agent sends that is not of a session
   * @param makeRoom called while there are too many processes
   */
  AcpSession open(
      Path folder, TaskContext task, AgentTurn to, BridgeHandler bridge, Runnable makeRoom)
      throws TaskFailure, InterruptedException {
    if (running.isPresent() && running.get().opened().session().phase().isBetweenTurns()) {
      listener = Optional.of(to);
      to.catchUp(running.get().forwarding().between.take());
      running.get().agent().announceSkills();
      keep(task);
      return running.get().opened().session();
    }
    reportEnded(to);
    stop();
    listener = Optional.of(to);
    Running started = start(folder, task, bridge, makeRoom);
    running = Optional.of(started);
    unreported = Optional.of(started.opened());
    keep(task);
    return started.opened().session();
  }

  /** Reports what an agent has left that has ended since the last task. */
  private void reportEnded(AgentTurn to) {
    if (running.isEmpty()) {
      return;
    }
    Running was = running.get();
    to.catchUp(was.forwarding().between.take());
    if (was.agent().hasEnded()) {
      ObjectNode ended = JsonNodeFactory.instance.objectNode();
      lastWords().ifPresent(known -> known.putInto(ended));
      to.notified("ended_between_tasks", ended);
    }
  }

  /**
   * Returns whether the agent has no history of the session and has not been sent the transcript;
   * an agent that ended before it received the transcript still needs it after a restart.
   */
  boolean needsTranscript() {
    return needsTranscript;
  }

  /** Notes that the agent has received the transcript. */
  void markTranscriptReceived() {
    needsTranscript = false;
  }

  /** Leaves what the user has said, which the agent did not get, for the session's next prompt. */
  void leaveUnsaid(String text) {
    unsaid = text;
  }

  /** Returns what earlier tasks have left for the next prompt; empty if nothing. */
  String takeUnsaid() {
    String left = unsaid;
    unsaid = "";
    return left;
  }

  /** Returns the agent's session once after it was opened. */
  Optional<OpenedSession> takeOpened() {
    Optional<OpenedSession> opened = unreported;
    unreported = Optional.empty();
    return opened;
  }

  /**
   * Keeps where the agent's session goes on, and what it has reported, so that a repetition is
   * known by whichever process takes it up. That is kept only of agents that load sessions.
   */
  void keep(TaskContext task) {
    if (running.isEmpty()) {
      return;
    }
    Running now = running.get();
    ObjectNode state =
        JsonNodeFactory.instance
            .objectNode()
            .put(SESSION, now.opened().session().id())
            .put(FOLDER, now.folder().toString());
    if (needsTranscript) {
      state.put(NEEDS_TRANSCRIPT, true);
    }
    if (!unsaid.isEmpty()) {
      state.put(UNSAID, KeptText.of(unsaid, MOST_UNSAID));
    }
    if (now.agent().introduced().capabilities().load()) {
      state.put(HISTORY, now.opened().session().history().kept());
    }
    String text = state.toString();
    if (!text.equals(kept)) {
      task.flush(); // What is not recorded is no repetition.
      task.keepSessionState(text.getBytes(StandardCharsets.UTF_8));
      kept = text;
    }
  }

  private Running start(Path folder, TaskContext task, BridgeHandler bridge, Runnable makeRoom)
      throws TaskFailure, InterruptedException {
    RunningAgent agent = processes.take(folder, task, bridge, makeRoom);
    cost.begin(false); // What it says while it opens is of before.
    Forwarding forwarding = new Forwarding();
    Optional<JsonNode> earlier = earlier(folder, task);
    try {
      OpenedSession opened =
          agent
              .connection()
              .open(
                  agent.introduced(),
                  folder,
                  earlier.map(state -> state.path(SESSION).asText()),
                  earlier
                      .map(state -> SessionHistory.of(state.path(HISTORY).asText()))
                      .orElseGet(SessionHistory::new),
                  JsonNodeFactory.instance.arrayNode(),
                  forwarding);
      opened.session().awaitHistory();
      processes.configure(opened);
      cost.begin(opened.how().isWithoutHistory());
      if (unsaid.isEmpty()) {
        unsaid = earlier.map(state -> state.path(UNSAID).asText("")).orElse("");
      }
      needsTranscript =
          opened.how().isWithoutHistory()
              || earlier.filter(state -> state.path(NEEDS_TRANSCRIPT).asBoolean()).isPresent();
      return new Running(folder, agent, opened, forwarding);
    } catch (AcpException e) {
      TaskFailure failure = AgentProcesses.refused(agent.process(), agent.connection(), e);
      processes.giveBack(folder, agent, true);
      throw failure;
    } catch (InterruptedException e) {
      processes.giveBack(folder, agent, false);
      throw e;
    }
  }

  /** Returns what was kept of the agent's session, if there is one of this folder. */
  private static Optional<JsonNode> earlier(Path folder, TaskContext task) {
    return task.sessionState()
        .flatMap(HostedSession::parse)
        .filter(state -> state.path(FOLDER).asText().equals(folder.toString()))
        .filter(state -> !state.path(SESSION).asText().isEmpty());
  }

  private static Optional<JsonNode> parse(byte[] state) {
    try {
      return Optional.of(MAPPER.readTree(state));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Ends an agent that goes on though its task has ended: nobody watches what it does. */
  void stopUnlessBetweenTurns() {
    if (running.isPresent() && !running.get().opened().session().phase().isBetweenTurns()) {
      stop();
    }
  }

  /** Gives the agent back, which ends it unless another session uses it. */
  void stop() {
    if (running.isPresent()) {
      Running was = running.get();
      was.forwarding().isOver = true;
      running = Optional.empty();
      boolean lost = !was.opened().session().phase().isBetweenTurns();
      processes.giveBack(was.folder(), was.agent(), lost);
    }
  }

  /** Passes on to the task that has the turn, until the agent is given up. */
  private final class Forwarding implements SessionListener {
    /** What an agent still says that was given up is of no task that begins now. */
    private volatile boolean isOver;

    /** What the agent said between two tasks. */
    private final UpdatesBetween between = new UpdatesBetween();

    private Optional<AgentTurn> to() {
      return isOver ? Optional.empty() : listener;
    }

    @Override
    public void update(SessionUpdate update) {
      Optional<AgentTurn> now = to();
      if (now.isPresent()) {
        now.get().update(update);
      } else if (!isOver) {
        between.add(update);
      }
    }

    @Override
    public void question(Question question) {
      Optional<AgentTurn> now = to();
      if (now.isPresent()) {
        now.get().question(question);
      } else {
        // Nobody is there to ask: fail closed.
        running.ifPresent(
            agent -> agent.opened().session().answer(question, new Reply.Cancelled()));
      }
    }

    @Override
    public void questionClosed(Question question) {
      to().ifPresent(turn -> turn.questionClosed(question));
    }

    @Override
    public boolean isAnother(Question.Permission shown, Question.Permission now) {
      return to().map(turn -> turn.isAnother(shown, now)).orElse(false);
    }

    @Override
    public void revised(Question.Permission shown, Question.Permission now) {
      to().ifPresent(turn -> turn.revised(shown, now));
    }

    @Override
    public void said(CallUpdate update) {
      to().ifPresent(turn -> turn.said(update));
    }

    @Override
    public void closed(String why) {
      to().ifPresent(turn -> turn.closed(why));
    }
  }
}

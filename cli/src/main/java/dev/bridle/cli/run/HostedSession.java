package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.cli.console.BuildVersion;
import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpOptions;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.acp.OpenedSession;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.acp.SessionListener;
import dev.bridle.host.acp.SessionPhase;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.StopGrace;
import dev.bridle.worker.TaskContext;
import dev.bridle.worker.TaskFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The agent of one session: its process, connection and session, which outlive a task. One task at
 * a time.
 */
final class HostedSession {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final AgentHost host;
  private final Semaphore turn = new Semaphore(1);
  private volatile Optional<SessionListener> listener = Optional.empty();
  private Optional<Running> running = Optional.empty();

  /** A started agent. */
  private record Running(AgentProcess process, AcpConnection connection, OpenedSession opened) {}

  HostedSession(AgentHost host) {
    this.host = host;
  }

  /** Waits until no other task uses the agent. */
  void enter(TaskContext task) throws InterruptedException {
    while (!turn.tryAcquire(200, TimeUnit.MILLISECONDS)) {
      task.throwIfCancelled();
    }
  }

  void leave() {
    listener = Optional.empty();
    turn.release();
  }

  /**
   * Returns the agent's session, with a started agent. Whatever happens in it is told to the
   * listener until {@link #leave}.
   */
  AcpSession open(TaskContext task, SessionListener to)
      throws TaskFailure, AgentLost, InterruptedException {
    listener = Optional.of(to);
    if (running.isPresent() && running.get().opened().session().phase() == SessionPhase.IDLE) {
      return running.get().opened().session();
    }
    stop();
    Running started = start(kept(task));
    running = Optional.of(started);
    task.keepSessionState(
        JsonNodeFactory.instance
            .objectNode()
            .put("session", started.opened().session().id())
            .put("folder", host.folder().toString())
            .toString()
            .getBytes(StandardCharsets.UTF_8));
    return started.opened().session();
  }

  /** Returns the agent's id of the session that an earlier task kept, if it is of this folder. */
  private Optional<String> kept(TaskContext task) {
    return task.sessionState()
        .flatMap(HostedSession::parse)
        .filter(state -> state.path("folder").asText().equals(host.folder().toString()))
        .map(state -> state.path("session").asText())
        .filter(id -> !id.isEmpty());
  }

  private static Optional<JsonNode> parse(byte[] state) {
    try {
      return Optional.of(MAPPER.readTree(state));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Running start(Optional<String> earlier)
      throws TaskFailure, AgentLost, InterruptedException {
    AgentProcess process;
    try {
      AgentCommand command = host.command();
      process = host.launcher().start(command);
    } catch (IOException | IllegalArgumentException e) {
      throw new TaskFailure("agent_start", "The agent can't be started: " + e.getMessage(), e);
    }
    AcpConnection connection =
        AcpConnection.start(
            "agent",
            process.output(),
            process.input(),
            AcpOptions.of(BuildVersion.current()),
            host.timer());
    try {
      Initialized agent = connection.initialize();
      OpenedSession opened =
          connection.open(
              agent,
              host.folder(),
              earlier,
              JsonNodeFactory.instance.arrayNode(),
              new Forwarding());
      host.started(agent);
      return new Running(process, connection, opened);
    } catch (AcpException e) {
      String errors = process.errors();
      connection.close();
      process.stop(StopGrace.DEFAULT).join();
      throw new TaskFailure(
          e.reason() == AcpException.Reason.LOGIN ? "agent_login" : "agent_start",
          "The agent did not open a session: " + e.getMessage() + tail(errors),
          e);
    }
  }

  private static String tail(String errors) {
    String text = errors.strip();
    return text.isEmpty() ? "" : "; it wrote: " + text.substring(Math.max(0, text.length() - 500));
  }

  /** Ends the agent, with everything that it started. */
  void stop() {
    if (running.isPresent()) {
      running.get().connection().close();
      running.get().process().stop(StopGrace.DEFAULT).join();
      running = Optional.empty();
    }
  }

  /** Passes on to the task that has the turn. */
  private final class Forwarding implements SessionListener {
    @Override
    public void update(SessionUpdate update) {
      listener.ifPresent(to -> to.update(update));
    }

    @Override
    public void question(Question question) {
      if (listener.isPresent()) {
        listener.get().question(question);
      } else {
        // Nobody is there to ask: fail closed.
        running.ifPresent(
            agent -> agent.opened().session().answer(question, new Reply.Cancelled()));
      }
    }

    @Override
    public void questionClosed(Question question) {
      listener.ifPresent(to -> to.questionClosed(question));
    }

    @Override
    public void closed(String why) {
      listener.ifPresent(to -> to.closed(why));
    }
  }
}

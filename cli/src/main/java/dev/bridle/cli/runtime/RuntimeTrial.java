package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.cli.console.BuildVersion;
import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.AcpOptions;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.acp.OpenedSession;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.Question.OptionKind;
import dev.bridle.host.acp.Reply;
import dev.bridle.host.acp.SessionListener;
import dev.bridle.host.acp.SessionSettings;
import dev.bridle.host.acp.SessionSetup;
import dev.bridle.host.acp.SessionUpdate;
import dev.bridle.host.bridge.BridgeHandler;
import dev.bridle.host.bridge.BridgeListener;
import dev.bridle.host.bridge.BridgeServices;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.AgentCommand;
import dev.bridle.host.process.AgentExit;
import dev.bridle.host.process.AgentLauncher;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.ExitReason;
import dev.bridle.host.process.StopGrace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Starts an agent in a folder, shakes hands, and may prompt it once; all that it asks is denied. A
 * daemon may end its turn by being idle.
 */
final class RuntimeTrial implements AutoCloseable {
  private static final Duration MAX_TURN = Duration.ofMinutes(5);
  private static final String NOBODY = "Nobody allows this.";

  private final AgentProcess process;
  private final AcpConnection connection;
  private final Path folder;
  private final Seen seen;
  private final AtomicReference<AcpSession> session;

  private RuntimeTrial(
      AgentProcess process,
      AcpConnection connection,
      Path folder,
      AtomicReference<AcpSession> session,
      boolean asksForAll) {
    this.seen = new Seen(asksForAll);
    this.process = process;
    this.connection = connection;
    this.folder = folder;
    this.session = session;
  }

  /**
   * Starts an agent.
   *
   * @param services what it is offered over the bridge
   * @throws IOException if it can't be started
   */
  static RuntimeTrial start(
      AgentLauncher launcher,
      AgentStart start,
      Path folder,
      BridgeServices services,
      ScheduledExecutorService timer)
      throws IOException, InterruptedException {
    AgentProcess process =
        launcher.start(
            new AgentCommand(
                "agent", start.arguments(), folder, start.environment(), OptionalLong.empty()));
    AtomicReference<AcpSession> session = new AtomicReference<>();
    AcpConnection connection =
        AcpConnection.start(
            "agent",
            process.output(),
            process.input(),
            AcpOptions.of(BuildVersion.current())
                .servedBy(new BridgeHandler(services, endTurnWhenIdle(session)))
                .completingInput(start.requests().completesInput())
                .openingWith(start.session().meta()),
            timer);
    return new RuntimeTrial(process, connection, folder, session, start.asksForAll());
  }

  private static BridgeListener endTurnWhenIdle(AtomicReference<AcpSession> session) {
    return new BridgeListener() {
      @Override
      public void idle(long iteration, long backoffMillis) {
        Optional.ofNullable(session.get()).ifPresent(now -> now.idle(iteration));
      }
    };
  }

  Initialized initialize() throws AcpException, InterruptedException {
    return connection.initialize();
  }

  /** Logs in if a login was chosen, and opens a session. */
  OpenedSession open(Initialized agent, SessionSettings chosen)
      throws AcpException, InterruptedException {
    SessionSetup.logIn(connection, agent, chosen);
    ArrayNode none = JsonNodeFactory.instance.arrayNode();
    OpenedSession opened = connection.open(agent, folder, Optional.empty(), none, seen);
    session.set(opened.session());
    return opened;
  }

  /** Prompts, denies every question, and returns how the turn ended, as the agent spelled it. */
  String prompt(String text) throws AcpException, InterruptedException {
    AcpSession to = Optional.ofNullable(session.get()).orElseThrow();
    ArrayNode content = JsonNodeFactory.instance.arrayNode();
    content.addObject().put("type", "text").put("text", text);
    CompletableFuture<PromptEnd> end = to.prompt(content);
    long until = System.nanoTime() + MAX_TURN.toNanos();
    while (!end.isDone() && System.nanoTime() < until) {
      Question next = seen.questions.poll(100, TimeUnit.MILLISECONDS);
      if (next != null) {
        to.answer(next, denied(next));
      }
    }
    try {
      return end.get(0, TimeUnit.SECONDS).spelled();
    } catch (TimeoutException e) {
      return "none within " + MAX_TURN.toMinutes() + " minutes";
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AcpException said) {
        throw said;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private static Reply denied(Question question) {
    if (question instanceof Question.Permission asked) {
      if (asked.answeredByWord()) {
        return new Reply.Denied(NOBODY);
      }
      return asked
          .onlyOption(OptionKind.REJECT_ONCE)
          .map(option -> (Reply) new Reply.Chosen(option.id()))
          .orElseGet(() -> new Reply.Failed(NOBODY));
    }
    return new Reply.Declined();
  }

  /** Returns the actions that the agent asked for, in its words. */
  List<String> asked() {
    return List.copyOf(seen.asked);
  }

  /** Returns what the agent did that changes something, in its words; everything was denied. */
  List<String> acted() {
    return List.copyOf(seen.acted);
  }

  /** Returns how many lines the agent wrote to its output that were no messages. */
  long noiseLines() {
    return connection.peer().figures().noiseLines() + connection.peer().figures().longLines();
  }

  /** Returns the end of these lines, without secrets. */
  String noise() {
    return process.withoutSecrets(connection.peer().noise()).strip();
  }

  /** Returns how the agent's process ended, if it has ended by itself. */
  Optional<String> end() {
    return Optional.ofNullable(process.exited().getNow(null))
        .filter(exit -> exit.reason() == ExitReason.EXITED)
        .map(AgentExit::sentence);
  }

  /** Returns the end of what the agent wrote on stderr. */
  String errors() {
    return process.errors().strip();
  }

  @Override
  public void close() {
    connection.close();
    process.stop(StopGrace.DEFAULT).join();
  }

  /** What the agent reported. */
  private static final class Seen implements SessionListener {
    private final LinkedBlockingQueue<Question> questions = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> acted = new ConcurrentLinkedQueue<>();
    private final boolean asksForAll;

    Seen(boolean asksForAll) {
      this.asksForAll = asksForAll;
    }

    @Override
    public void update(SessionUpdate update) {
      if (update instanceof SessionUpdate.Tool tool
          && tool.statusChanged()
          && tool.call().status().equals("completed")
          && (tool.call().acts() || (asksForAll && !tool.call().onlyReads()))) {
        acted.add(tool.call().title());
      }
    }

    @Override
    public void question(Question question) {
      if (question instanceof Question.Permission permission) {
        asked.add(permission.toolCall().title());
      }
      questions.add(question);
    }

    @Override
    public void questionClosed(Question question) {
      questions.remove(question);
    }

    @Override
    public void closed(String why) {
      // The call that waits fails with the reason.
    }
  }
}

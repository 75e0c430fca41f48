package dev.bridle.host.runtime;

import dev.bridle.host.acp.Initialized;
import dev.bridle.host.acp.OpenedSession;
import dev.bridle.host.bridge.SearchEndpoint;
import dev.bridle.host.bridge.ToolSearch;
import dev.bridle.host.preset.AgentStart;
import dev.bridle.host.process.StopGrace;
import dev.bridle.host.task.AgentHost;
import dev.bridle.host.task.HostSettings;
import dev.bridle.host.task.Introductions;
import dev.bridle.host.task.Offers;
import dev.bridle.host.task.ProcessScope;
import dev.bridle.worker.HandlerFacts;
import dev.bridle.worker.Worker;
import dev.bridle.worker.WorkerBuilder;
import dev.bridle.worker.v1.WorkerBinding;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A runtime that takes tasks: its worker and the host of its processes. */
final class RunningRuntime implements AutoCloseable {
  /** How long the memory of a process is kept for an answer. */
  private static final Duration HOLD = Duration.ofMinutes(10);

  /** How many tasks the sessions of one daemon may have at a time. */
  private static final int TASKS_OF_DAEMON = 8;

  private static final int MOST_TASKS = 1000;

  /** A task that does not end soon goes back to the queue, and is taken up by who comes next. */
  private static final Duration CLOSE_GRACE = Duration.ofMillis(500);

  /** Its handler ends the agent before it gives the task back. */
  private static final Duration STOP_TIME = StopGrace.DEFAULT.whole().plusSeconds(3);

  private static final Set<String> SCOPES =
      Set.of(
          "workers:lease",
          "artifacts:read",
          "artifacts:write",
          "skills:read",
          "workspaces:read",
          "personas:read");

  private final RuntimeSettings settings;
  private final RuntimeCore core;
  private final String secret;
  private final AgentHost host;
  private final Worker worker;

  private RunningRuntime(
      RuntimeSettings settings, RuntimeCore core, String secret, AgentHost host, Worker worker) {
    this.settings = settings;
    this.core = core;
    this.secret = secret;
    this.host = host;
    this.worker = worker;
  }

  /**
   * Starts a runtime's worker; its processes start with its tasks.
   *
   * @throws IllegalArgumentException if it can't be started as the settings say
   * @throws IOException if its home can't be made
   */
  static RunningRuntime start(RuntimePlace place, RuntimeCore core, RuntimeSettings settings)
      throws IOException {
    AgentStart start = RuntimeHomes.start(place.homes(), place.environment(), settings);
    String secret = core.credential(settings.tasks().tenant(), actor(settings), SCOPES);
    try {
      CoreReads reads = new CoreReads(core.channel(), secret);
      List<WorkerBinding> bindings = bindings(settings, reads);
      WorkspaceFolders folders =
          new WorkspaceFolders(
              reads,
              place.workspaceRoot(),
              settings.tasks().tenant(),
              place.launcher().isolation());
      AgentHost host =
          new AgentHost(
              place.launcher(),
              new HostSettings(
                  start,
                  place.version(),
                  settings.launch().scope(),
                  settings.bounds(),
                  settings.launch().chosen(),
                  HOLD,
                  false),
              folders,
              place.memory(),
              new Offers(
                  true, new CoreSkills(reads), settings.toolSearch().map(RunningRuntime::search)),
              place.timer(),
              remembering(place.homes(), settings.name()));
      WorkerBuilder worker =
          Worker.builder(core.channel())
              .credentials(secret)
              .agentId(actor(settings))
              .bindings(bindings)
              .handlerFacts(HandlerFacts.of(settings.name(), ""))
              .worksWhileParked()
              .takesMessages()
              .oneTaskPerSession()
              .slots(slots(settings))
              .closeGrace(CLOSE_GRACE)
              .stopTime(STOP_TIME)
              .handler(host);
      RunningRuntime running = new RunningRuntime(settings, core, secret, host, worker.build());
      running.worker.start();
      return running;
    } catch (RuntimeException e) {
      core.end(secret);
      throw e;
    }
  }

  private static Introductions remembering(Path homes, String name) {
    KnownOffers offers = new KnownOffers(homes);
    return new Introductions() {
      @Override
      public void introduced(Initialized agent) {
        // Its name changes nothing here.
      }

      @Override
      public void opened(OpenedSession session) {
        offers.remember(name, session);
      }
    };
  }

  private static ToolSearch search(URI address) {
    return new SearchEndpoint(address);
  }

  private static String actor(RuntimeSettings settings) {
    return agent(settings.name());
  }

  /** Returns the id that a runtime has as an agent. */
  static String agent(String name) {
    return "runtime-" + name;
  }

  private static int slots(RuntimeSettings settings) {
    int each = settings.launch().scope() == ProcessScope.DAEMON ? TASKS_OF_DAEMON : 1;
    return Math.min(MOST_TASKS, settings.bounds().processes() * each);
  }

  /** Each persona in each workspace; where there are none, of all. */
  private static List<WorkerBinding> bindings(RuntimeSettings settings, CoreReads reads) {
    List<Optional<String>> personas = new ArrayList<>();
    settings.tasks().personas().forEach(name -> personas.add(Optional.of(reads.persona(name))));
    List<Optional<String>> workspaces = new ArrayList<>();
    settings.tasks().workspaces().forEach(id -> workspaces.add(Optional.of(id)));
    if (personas.isEmpty()) {
      personas.add(Optional.empty());
    }
    if (workspaces.isEmpty()) {
      workspaces.add(Optional.empty());
    }
    List<WorkerBinding> bindings = new ArrayList<>();
    for (Optional<String> persona : personas) {
      for (Optional<String> workspace : workspaces) {
        WorkerBinding.Builder binding = WorkerBinding.newBuilder();
        persona.ifPresent(binding::setPersonaId);
        workspace.ifPresent(binding::setWorkspaceId);
        bindings.add(binding.build());
      }
    }
    return bindings;
  }

  RuntimeSettings settings() {
    return settings;
  }

  /** Lets its tasks go back to the queue, and ends its processes. */
  @Override
  public void close() {
    try {
      worker.close();
    } finally {
      host.close();
      core.end(secret);
    }
  }
}

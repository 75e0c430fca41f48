package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.coalesce.Periodic;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.due.DueHandler;
import dev.bridle.core.work.agent.WorkerStore;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.artifact.ArtifactUploads;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.hosttool.HostTimeouts;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.permission.PendingPermission;
import dev.bridle.core.work.permission.PermissionListener;
import dev.bridle.core.work.permission.Permissions;
import dev.bridle.core.work.policy.PersonaSecrets;
import dev.bridle.core.work.replay.OriginValues;
import dev.bridle.core.work.replay.ReplayOptions;
import dev.bridle.core.work.replay.ReplayWait;
import dev.bridle.core.work.report.Reports;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.DueTasks;
import dev.bridle.core.work.task.LeaseTimes;
import dev.bridle.core.work.task.RunningWorkers;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.WaitingLease;
import dev.bridle.core.work.vault.SecretStore;
import dev.bridle.core.work.vault.VaultSecrets;
import dev.bridle.core.work.vault.VaultStore;
import dev.bridle.core.work.workspace.WorkspaceStore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.storage.layer.StepStore;
import dev.bridle.storage.layer.WakeKeys;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the worker service, and runs the periodic work on leases. */
public final class Dispatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Dispatch.class);
  private static final Duration SLOW_POLL = Duration.ofSeconds(1);

  private final KeyValueStore store;
  private final CommandExpiry commandExpiry;
  private final Dispatcher dispatcher;
  private final Sweeper sweeper;
  private final StartupRecovery startUp;
  private final HostLeases hosts;
  private final WorkerService service;
  private final ParkedTasks parked;
  private final Duration sweepInterval;

  /**
   * Wires the worker service.
   *
   * @param endings ends tasks
   * @param permissions answers permission requests of workers
   * @param uploads expires uploads
   * @param due handlers of other due entries
   * @param credentials ends streams whose credentials have expired
   */
  public Dispatch(
      CoreContext context,
      TaskStores stores,
      TaskEndings endings,
      Permissions permissions,
      ArtifactUploads uploads,
      Map<DueKind, DueHandler> due,
      CredentialWatch credentials) {
    KeyLayout layout = context.layout();
    TaskOptions options = context.settings(TaskOptions.class);
    this.store = context.store();
    Commands commands = context.commands();
    Steps steps = new Steps(new StepStore(layout));
    WorkerStore workers = new WorkerStore(layout);
    HostCalls hostCalls = new HostCalls(context.due());
    WaitingLease waiting = new WaitingLease(options);
    ReplayWait replayWait = new ReplayWait(context.settings(ReplayOptions.class));
    LostAttempts lost = new LostAttempts(endings, options, replayWait);
    SessionTurns turns = new SessionTurns(context, stores.tasks());
    this.dispatcher =
        new Dispatcher(
            store,
            new LeaseGrants(
                commands,
                stores,
                lost,
                new WorkspaceStore(layout),
                options,
                context.mint(),
                new QueueCandidates(stores, context.clock(), turns)),
            stores.tasks(),
            new WakeKeys(layout),
            context.environment().background(),
            context.environment().random());
    this.commandExpiry =
        new CommandExpiry(context, new IdempotencyStore(layout), context.installation());
    LeaseExpiry leases = new LeaseExpiry(context, stores, lost, endings);
    Map<DueKind, DueHandler> handlers = new EnumMap<>(due);
    handlers.putAll(leases.handlers());
    handlers.put(DueKind.IDEMPOTENCY, commandExpiry);
    handlers.put(DueKind.UPLOAD, uploads::expire);
    handlers.put(DueKind.PERMISSION, permissions.expiry()::expire);
    handlers.put(
        DueKind.HOST_TOOL,
        new HostTimeouts(new DueTasks(commands, stores), hostCalls, steps, waiting)::expire);
    ReplayedCalls replayed = new ReplayedCalls(context, stores.tasks(), endings);
    handlers.put(
        DueKind.REPLAY_WORKER,
        new UnclaimedReplays(new DueTasks(commands, stores), replayed)::expire);
    this.sweeper = new Sweeper(context, handlers, leases);
    this.parked =
        new ParkedTasks(
            commands,
            stores,
            context.configurations(),
            new PendingPermission(context, PermissionListener.NONE),
            hostCalls,
            lost,
            replayWait);
    this.startUp = new StartupRecovery(store, commands, stores, lost);
    this.hosts = new HostLeases(store, commands, stores, lost);
    Reports reports =
        new Reports(
            steps,
            new MessageStore(layout),
            new ArtifactStore(layout, new BlobStore(layout)),
            stores.quotas(),
            endings,
            context.log());
    LeaseCalls calls = new LeaseCalls(commands, stores, reports);
    Registrations registrations = new Registrations(context, workers, stores);
    this.service =
        new WorkerService(
            registrations,
            new LeaseStreams(registrations, dispatcher, credentials),
            new Heartbeats(commands, stores),
            new WorkerReports(
                calls,
                reports,
                new InputRequests(
                    permissions.gate(),
                    new Questions(steps, endings, waiting),
                    hostCalls,
                    permissions.expiry()),
                permissions,
                new AttemptEndings(endings, lost, turns, replayed.run()),
                new UserMessages(calls, new MessageStore(layout)),
                replayed),
            new SecretUses(
                calls,
                new SessionStore(layout, context.log()),
                new VaultSecrets(
                    new VaultStore(layout),
                    new SecretStore(layout, context.seals()),
                    new PersonaSecrets(layout)),
                steps,
                replayed),
            new LeaseReads(
                new StepLists(
                    store,
                    stores.tasks(),
                    steps,
                    replayed.origin(),
                    new OriginValues(context, stores.tasks())),
                new TranscriptReads(context, stores.tasks())),
            new SessionStates(context, stores.tasks()));
    this.sweepInterval = context.settings(LeaseTimes.class).sweepInterval();
  }

  /** Returns the service that workers call. */
  public WorkerService service() {
    return service;
  }

  /** Returns the component that takes over imported tasks. */
  public ParkedTasks parked() {
    return parked;
  }

  /** Returns the leases of processes that host agents. */
  public HostLeases hosts() {
    return hosts;
  }

  /** Returns the workers that are connected to this process. */
  public RunningWorkers workers() {
    return dispatcher;
  }

  /**
   * Runs the periodic work on leases until both timers are shut down.
   *
   * @param timer for what never blocks
   * @param sweeps for what waits for the store
   * @param exclusive whether no other process uses the storage. If so, leases of the previous
   *     process are revoked at once; on shared storage they may belong to a live process and expire
   *     by their heartbeats
   */
  public void start(
      ScheduledExecutorService timer, ScheduledExecutorService sweeps, boolean exclusive) {
    int taken = exclusive ? startUp.requeueOwn() : 0;
    if (taken > 0) {
      log.info("Requeued {} tasks whose leases ended when the previous server stopped.", taken);
    }
    Periodic.every(sweeps, sweepInterval, "Handling what is due", sweeper::sweep);
    Periodic.every(timer, SLOW_POLL, "Looking for tasks", dispatcher::pokeAll);
    Periodic.every(
        sweeps,
        Duration.ofMillis(IdempotencyStore.BUCKET_MILLIS),
        "Forgetting old commands",
        commandExpiry::forgetOld);
  }

  /**
   * Ends the streams of all workers; they reconnect to another server, or to this one after its
   * restart.
   */
  @Override
  public void close() {
    dispatcher.close();
  }
}

package dev.bridle.core.work.dispatch;

import dev.bridle.core.kernel.auth.CredentialWatch;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.due.DueHandler;
import dev.bridle.core.kernel.error.FailureLog;
import dev.bridle.core.work.agent.WorkerStore;
import dev.bridle.core.work.artifact.ArtifactStore;
import dev.bridle.core.work.artifact.ArtifactUploads;
import dev.bridle.core.work.hosttool.HostCalls;
import dev.bridle.core.work.hosttool.HostTimeouts;
import dev.bridle.core.work.message.MessageStore;
import dev.bridle.core.work.permission.PendingPermission;
import dev.bridle.core.work.permission.Permissions;
import dev.bridle.core.work.policy.PersonaSecrets;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.CancelListener;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.Waiting;
import dev.bridle.core.work.vault.SecretStore;
import dev.bridle.core.work.vault.VaultSecrets;
import dev.bridle.core.work.vault.VaultStore;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
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
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts together what serves workers, and runs what looks after leases. */
public final class Dispatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Dispatch.class);
  private static final Duration SLOW_POLL = Duration.ofSeconds(1);

  private final KeyValueStore store;
  private final ForgottenCommands forgotten;
  private final Dispatcher dispatcher;
  private final Sweeper sweeper;
  private final StartUp startUp;
  private final WorkerService service;
  private final ParkedTasks parked;
  private final Duration sweepInterval;

  /**
   * Puts them together.
   *
   * @param endings how tasks end
   * @param permissions what workers ask for
   * @param uploads uploads under way
   * @param due handlers of due entries that are no concern of workers
   * @param credentials ends the streams of workers whose credentials have ended
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
    Waiting waiting = new Waiting(options);
    LostAttempts lost = new LostAttempts(endings, options);
    this.dispatcher =
        new Dispatcher(
            store,
            new LeaseGrants(commands, stores, lost, options, context.mint(), context.clock()),
            stores.tasks(),
            new WakeKeys(layout),
            context.environment().background(),
            context.environment().random());
    this.forgotten =
        new ForgottenCommands(context, new IdempotencyStore(layout), context.installation());
    LeaseExpiry leases = new LeaseExpiry(context, stores, lost, endings, options);
    Map<DueKind, DueHandler> handlers = new EnumMap<>(due);
    handlers.putAll(leases.handlers());
    handlers.put(DueKind.IDEMPOTENCY, forgotten);
    handlers.put(DueKind.UPLOAD, uploads::expire);
    handlers.put(DueKind.PERMISSION, permissions.expiry()::expire);
    handlers.put(
        DueKind.HOST_TOOL, new HostTimeouts(commands, stores, hostCalls, steps, waiting)::expire);
    this.sweeper = new Sweeper(context, handlers, leases);
    this.parked =
        new ParkedTasks(commands, stores, workers, new PendingPermission(context), hostCalls, lost);
    this.startUp = new StartUp(store, commands, stores, lost);
    this.service =
        new WorkerService(
            new Registrations(store, commands, workers, stores),
            dispatcher,
            new Heartbeats(commands, stores),
            new WorkerReports(
                commands,
                stores,
                new Reports(
                    steps,
                    new MessageStore(layout),
                    new ArtifactStore(layout, new BlobStore(layout))),
                new InputRequests(
                    permissions.asking(), new Questions(steps, endings, waiting), hostCalls),
                permissions.asking(),
                lost,
                endings),
            new SecretUses(
                commands,
                stores,
                new SessionStore(layout, context.log()),
                new VaultSecrets(
                    new VaultStore(layout),
                    new SecretStore(layout, context.seals()),
                    new PersonaSecrets(layout)),
                steps),
            new StepLists(store, stores.tasks(), steps),
            credentials);
    long interval = Math.min(500, options.leaseTime().toMillis() / 4);
    this.sweepInterval = Duration.ofMillis(Math.max(20, interval));
  }

  /** Returns the service that workers call. */
  public WorkerService service() {
    return service;
  }

  /** Returns what takes over tasks that were imported. */
  public ParkedTasks parked() {
    return parked;
  }

  /** Returns what tells workers of cancellations. */
  public CancelListener cancels() {
    return dispatcher;
  }

  /**
   * Looks after leases on {@code timer} until it is shut down.
   *
   * @param exclusive whether no other process uses the storage: then what the process before held
   *     is taken back at once; on shared storage it may be another process that lives, and its
   *     leases are left to their heartbeats
   */
  public void start(ScheduledExecutorService timer, boolean exclusive) {
    int taken = exclusive ? startUp.requeueOwn() : 0;
    if (taken > 0) {
      log.info("Queued {} tasks again whose leases ended with the server before.", taken);
    }
    every(timer, sweepInterval, sweeper::sweep);
    every(timer, SLOW_POLL, dispatcher::pokeAll);
    every(timer, Duration.ofMillis(IdempotencyStore.BUCKET_MILLIS), forgotten::forgetMinted);
  }

  private static void every(ScheduledExecutorService timer, Duration interval, Runnable work) {
    var unused =
        timer.scheduleWithFixedDelay(
            () -> {
              try {
                work.run();
              } catch (StoreException e) {
                FailureLog.warn(log, "Periodic work failed and is tried again.", e);
              } catch (RuntimeException e) {
                log.error("Periodic work failed unexpectedly and is tried again.", e);
              }
            },
            interval.toMillis(),
            interval.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /**
   * Ends the streams of all workers; they come back to another server, or to this one once it runs
   * again.
   */
  @Override
  public void close() {
    dispatcher.close();
  }
}

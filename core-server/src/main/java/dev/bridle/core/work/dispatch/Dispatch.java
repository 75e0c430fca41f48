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
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.core.work.task.CancelListener;
import dev.bridle.core.work.task.Steps;
import dev.bridle.core.work.task.TaskEndings;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.core.work.task.TaskStores;
import dev.bridle.core.work.task.Waiting;
import dev.bridle.core.work.vault.VaultSecrets;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.layer.DueKind;
import dev.bridle.storage.layer.IdempotencyStore;
import dev.bridle.storage.layer.Installation;
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
   * What dispatch is built over.
   *
   * @param context what all features share
   * @param installation the tenants
   * @param idempotency records that may go once they are old
   * @param stores the parts of tasks
   * @param sessions sessions
   * @param messages messages
   * @param artifacts artifacts
   * @param uploads uploads under way
   * @param steps recorded steps
   * @param workers registrations
   * @param endings how tasks end
   * @param pending the permission requests that tasks wait with
   * @param hostCalls the tool calls that tasks wait with
   * @param permissions what workers ask for
   * @param secrets secrets of vaults
   * @param waiting what becomes of leases of tasks that wait
   * @param wakes wake keys
   * @param options times and bounds
   * @param due handlers of due entries that are no concern of workers
   * @param credentials what ends the streams of workers whose credentials have ended
   */
  public record Parts(
      CoreContext context,
      Installation installation,
      IdempotencyStore idempotency,
      TaskStores stores,
      SessionStore sessions,
      MessageStore messages,
      ArtifactStore artifacts,
      ArtifactUploads uploads,
      Steps steps,
      WorkerStore workers,
      TaskEndings endings,
      PendingPermission pending,
      HostCalls hostCalls,
      Permissions permissions,
      VaultSecrets secrets,
      Waiting waiting,
      WakeKeys wakes,
      TaskOptions options,
      Map<DueKind, DueHandler> due,
      CredentialWatch credentials) {}

  public Dispatch(Parts parts) {
    this.store = parts.context().store();
    Commands commands = parts.context().commands();
    TaskStores stores = parts.stores();
    LostAttempts lost = new LostAttempts(parts.endings(), parts.options());
    this.dispatcher =
        new Dispatcher(
            store,
            new LeaseGrants(
                commands,
                stores,
                lost,
                parts.options(),
                parts.context().mint(),
                parts.context().clock()),
            stores.tasks(),
            parts.wakes(),
            parts.context().environment().background(),
            parts.context().environment().random());
    CoreContext context = parts.context();
    this.forgotten = new ForgottenCommands(context, parts.idempotency(), parts.installation());
    LeaseExpiry leases = new LeaseExpiry(context, stores, lost, parts.endings(), parts.options());
    Map<DueKind, DueHandler> handlers = new EnumMap<>(parts.due());
    handlers.putAll(leases.handlers());
    handlers.put(DueKind.IDEMPOTENCY, forgotten);
    handlers.put(DueKind.UPLOAD, parts.uploads()::expire);
    handlers.put(DueKind.PERMISSION, parts.permissions().expiry()::expire);
    handlers.put(
        DueKind.HOST_TOOL,
        new HostTimeouts(commands, stores, parts.hostCalls(), parts.steps(), parts.waiting())
            ::expire);
    this.sweeper = new Sweeper(context, handlers, leases);
    this.parked =
        new ParkedTasks(
            commands, stores, parts.workers(), parts.pending(), parts.hostCalls(), lost);
    this.startUp = new StartUp(store, commands, stores, lost);
    Questions questions = new Questions(parts.steps(), parts.endings(), parts.waiting());
    this.service =
        new WorkerService(
            new Registrations(store, commands, parts.workers(), stores),
            dispatcher,
            new Heartbeats(commands, stores),
            new WorkerReports(
                commands,
                stores,
                new Reports(parts.steps(), parts.messages(), parts.artifacts()),
                new InputRequests(parts.permissions().asking(), questions, parts.hostCalls()),
                parts.permissions().asking(),
                lost,
                parts.endings()),
            new SecretUses(commands, stores, parts.sessions(), parts.secrets(), parts.steps()),
            new StepLists(store, stores.tasks(), parts.steps()),
            parts.credentials());
    long interval = Math.min(500, parts.options().leaseTime().toMillis() / 4);
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

package dev.bridle.core.server;

import dev.bridle.connection.ConnectionLimits;
import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.integrations.enforcer.remote.RelayTargets;
import dev.bridle.core.integrations.relay.RelayRates;
import dev.bridle.core.integrations.webhook.WebhookOptions;
import dev.bridle.core.kernel.context.Settings;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.work.policy.OutsideAnswerers;
import dev.bridle.core.work.replay.ReplayOptions;
import dev.bridle.core.work.task.LeaseTimes;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.skill.v1.Skill;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * How a core is run, by subject.
 *
 * @param listener how calls are taken
 * @param storage how storage is used
 * @param streams bounds of event streams
 * @param tasks times and bounds of tasks
 * @param replays times of replays
 * @param access how callers are authenticated, and what secrets are sealed with
 * @param outbound how the server calls out
 * @param webhooks how deliveries of webhooks are sent
 * @param polls how connectors poll
 * @param relay how much parties of the relay may send
 * @param harpRelays relays elsewhere over which devices may be asked
 * @param limits how much one tenant may have
 * @param skills what the card says can be called
 * @param retentionInterval how often events that retention drops are looked for
 * @param workspaceRoot the folder of the machine that workspaces may have folders in
 */
public record CoreOptions(
    ListenerOptions listener,
    StorageUse storage,
    StreamOptions streams,
    TaskOptions tasks,
    ReplayOptions replays,
    AccessOptions access,
    OutboundOptions outbound,
    WebhookOptions webhooks,
    PollOptions polls,
    RelayRates relay,
    RelayTargets harpRelays,
    TenantLimits limits,
    List<Skill> skills,
    Duration retentionInterval,
    Optional<Path> workspaceRoot) {
  /** The default maximum number of connections over gRPC. */
  public static final int DEFAULT_MAX_CONNECTIONS = ListenerOptions.DEFAULT_MAX_CONNECTIONS;

  /** The defaults for one machine. */
  public static final CoreOptions DEFAULT =
      new CoreOptions(
          ListenerOptions.DEFAULT,
          StorageUse.EXCLUSIVE,
          StreamOptions.DEFAULT,
          TaskOptions.DEFAULT,
          ReplayOptions.DEFAULT,
          AccessOptions.NONE,
          OutboundOptions.DEFAULT,
          WebhookOptions.DEFAULT,
          PollOptions.DEFAULT,
          RelayRates.DEFAULT,
          RelayTargets.NONE,
          TenantLimits.DEFAULT,
          List.of(),
          Duration.ofMinutes(1),
          Optional.empty());

  /** Copies the skills. */
  public CoreOptions {
    skills = List.copyOf(skills);
  }

  /** Returns what features take their own options from. */
  Settings settings() {
    LeaseTimes leases = new LeaseTimes(tasks.leaseTime(), !storage.exclusive());
    return Settings.of(
        tasks,
        OutsideAnswerers.of(access.issuers()),
        leases,
        replays,
        webhooks,
        polls,
        relay,
        harpRelays.allowed(),
        limits);
  }

  /** Returns these options with another listener. */
  public CoreOptions withListener(String address, int port) {
    return with(changed -> changed.listener = listener.at(address, port));
  }

  /** Returns these options with at most so many connections over gRPC. */
  public CoreOptions withMaxConnections(int connections) {
    return withConnections(listener.connections().withMaxConnections(connections));
  }

  /** Returns these options with other bounds of connections over gRPC. */
  public CoreOptions withConnections(ConnectionLimits limits) {
    return with(changed -> changed.listener = listener.with(limits));
  }

  /** Returns these options with another bound of the bytes of requests under way. */
  public CoreOptions withMaxPendingBytes(long bytes) {
    return with(changed -> changed.listener = listener.with(bytes));
  }

  /** Returns these options with a listener that speaks TLS. */
  public CoreOptions withCertificate(X509ExtendedKeyManager certificate) {
    return with(changed -> changed.listener = listener.with(certificate));
  }

  /** Returns these options with other times of tasks. */
  public CoreOptions withTasks(TaskOptions other) {
    return with(changed -> changed.tasks = other);
  }

  /** Returns these options with other times of replays. */
  public CoreOptions withReplays(ReplayOptions other) {
    return with(changed -> changed.replays = other);
  }

  /** Returns these options for storage that other processes may use as well. */
  public CoreOptions withSharedStorage() {
    return with(changed -> changed.storage = storage.shared());
  }

  /** Returns these options, making a first key or not. */
  public CoreOptions withMakeFirstKey(boolean make) {
    return with(changed -> changed.storage = storage.withFirstKey(make));
  }

  /**
   * Returns these options for an operator's work on storage that no server runs on: leases, due
   * work and old events are left as they are.
   */
  public CoreOptions forOperatorOnly() {
    return with(changed -> changed.storage = storage.forOperatorOnly());
  }

  /** Returns these options with other skills on the card. */
  public CoreOptions withSkills(List<Skill> callable) {
    return with(changed -> changed.skills = callable);
  }

  /** Returns these options with another patience for readers that do not read. */
  public CoreOptions withStallTimeout(Duration timeout) {
    return with(changed -> changed.streams = streams.withStallTimeout(timeout));
  }

  /** Returns these options with another interval of retention. */
  public CoreOptions withRetentionInterval(Duration interval) {
    return with(changed -> changed.retentionInterval = interval);
  }

  /** Returns these options, checking the credentials of open streams in another interval. */
  public CoreOptions withCredentialInterval(Duration interval) {
    return with(changed -> changed.streams = streams.withCredentialInterval(interval));
  }

  /** Returns these options with other ways to authenticate. */
  public CoreOptions withAccess(AccessOptions other) {
    return with(changed -> changed.access = other);
  }

  /** Returns these options, with a folder that workspaces may have folders in. */
  public CoreOptions withWorkspaceRoot(Optional<Path> folder) {
    return with(changed -> changed.workspaceRoot = folder);
  }

  /** Returns these options, calling out in another way. */
  public CoreOptions withOutbound(OutboundOptions other) {
    return with(changed -> changed.outbound = other);
  }

  /** Returns these options with other times of webhooks. */
  public CoreOptions withWebhooks(WebhookOptions other) {
    return with(changed -> changed.webhooks = other);
  }

  /** Returns these options with other times of polls. */
  public CoreOptions withPolls(PollOptions other) {
    return with(changed -> changed.polls = other);
  }

  /** Returns these options, with other limits of what parties of the relay may send. */
  public CoreOptions withRelay(RelayRates other) {
    return with(changed -> changed.relay = other);
  }

  /** Returns these options, with relays elsewhere over which devices may be asked. */
  public CoreOptions withHarpRelays(RelayTargets other) {
    return with(changed -> changed.harpRelays = other);
  }

  /** Returns these options, with other limits of tenants. */
  public CoreOptions withLimits(TenantLimits other) {
    return with(changed -> changed.limits = other);
  }

  private CoreOptions with(Consumer<Changed> change) {
    Changed changed = new Changed(this);
    change.accept(changed);
    return changed.options();
  }

  /** The members while they are changed. */
  private static final class Changed {
    private ListenerOptions listener;
    private StorageUse storage;
    private StreamOptions streams;
    private TaskOptions tasks;
    private ReplayOptions replays;
    private AccessOptions access;
    private OutboundOptions outbound;
    private WebhookOptions webhooks;
    private PollOptions polls;
    private RelayRates relay;
    private RelayTargets harpRelays;
    private TenantLimits limits;
    private List<Skill> skills;
    private Duration retentionInterval;
    private Optional<Path> workspaceRoot;

    Changed(CoreOptions from) {
      listener = from.listener;
      storage = from.storage;
      streams = from.streams;
      tasks = from.tasks;
      replays = from.replays;
      access = from.access;
      outbound = from.outbound;
      webhooks = from.webhooks;
      polls = from.polls;
      relay = from.relay;
      harpRelays = from.harpRelays;
      limits = from.limits;
      skills = from.skills;
      retentionInterval = from.retentionInterval;
      workspaceRoot = from.workspaceRoot;
    }

    CoreOptions options() {
      return new CoreOptions(
          listener,
          storage,
          streams,
          tasks,
          replays,
          access,
          outbound,
          webhooks,
          polls,
          relay,
          harpRelays,
          limits,
          skills,
          retentionInterval,
          workspaceRoot);
    }
  }
}

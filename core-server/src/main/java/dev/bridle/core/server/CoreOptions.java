package dev.bridle.core.server;

import dev.bridle.core.integrations.connector.polling.PollOptions;
import dev.bridle.core.integrations.webhook.WebhookOptions;
import dev.bridle.core.kernel.context.Settings;
import dev.bridle.core.kernel.outbound.OutboundOptions;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.work.task.TaskOptions;
import dev.bridle.skill.v1.Skill;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a core is run.
 *
 * @param host the address that the gRPC listener binds to; 127.0.0.1
 * @param grpcPort the port of the gRPC listener; 0: any free one
 * @param tasks times and bounds of tasks
 * @param exclusive whether no other process uses the storage, so that leases of the process before
 *     are known to be gone
 * @param makeFirstKey whether storage without a key gets one, with a tenant
 * @param operatorOnly whether operators alone are served: nothing changes that they do not ask for,
 *     and data of an older format is refused
 * @param skills what the card says can be called
 * @param threads how many calls run at once
 * @param maxQueuedCalls how many calls wait for a thread before others are refused
 * @param maxStreams how many event streams may be open
 * @param stallTimeout how long a reader of events may take nothing while something waits for it
 * @param retentionInterval how often events that may go are looked for
 * @param credentialInterval how often the credentials of open streams are looked at again
 * @param drainTime how long calls under way may take once the server stops
 * @param access what callers are let in with, and what secrets are sealed with
 * @param workspaceRoot the folder of the machine that workspaces may have folders in
 * @param outbound how the server calls out
 * @param webhooks how what webhooks hear of is sent
 * @param polls how connectors poll
 * @param limits how much one tenant may have
 */
public record CoreOptions(
    String host,
    int grpcPort,
    TaskOptions tasks,
    boolean exclusive,
    boolean makeFirstKey,
    boolean operatorOnly,
    List<Skill> skills,
    int threads,
    int maxQueuedCalls,
    int maxStreams,
    Duration stallTimeout,
    Duration retentionInterval,
    Duration credentialInterval,
    Duration drainTime,
    AccessOptions access,
    Optional<Path> workspaceRoot,
    OutboundOptions outbound,
    WebhookOptions webhooks,
    PollOptions polls,
    TenantLimits limits) {
  /** The defaults for one machine. */
  public static final CoreOptions DEFAULT =
      new CoreOptions(
          "127.0.0.1",
          9090,
          TaskOptions.DEFAULT,
          true,
          true,
          false,
          List.of(),
          96,
          10_000,
          10_000,
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofSeconds(20),
          Duration.ofSeconds(5),
          AccessOptions.NONE,
          Optional.empty(),
          OutboundOptions.DEFAULT,
          WebhookOptions.DEFAULT,
          PollOptions.DEFAULT,
          TenantLimits.DEFAULT);

  /** Copies the skills. */
  public CoreOptions {
    skills = List.copyOf(skills);
  }

  /** Returns what features take their own options from. */
  Settings settings() {
    return Settings.of(tasks, webhooks, polls, limits);
  }

  /** Returns these options with another listener. */
  public CoreOptions withListener(String address, int port) {
    return with(
        changed -> {
          changed.host = address;
          changed.grpcPort = port;
        });
  }

  /** Returns these options with other times of tasks. */
  public CoreOptions withTasks(TaskOptions times) {
    return with(changed -> changed.tasks = times);
  }

  /** Returns these options for storage that other processes may use as well. */
  public CoreOptions withSharedStorage() {
    return with(changed -> changed.exclusive = false);
  }

  /** Returns these options, making a first key or not. */
  public CoreOptions withMakeFirstKey(boolean make) {
    return with(changed -> changed.makeFirstKey = make);
  }

  /**
   * Returns these options for an operator's work on storage that no server runs on: leases, due
   * work and old events are left as they are.
   */
  public CoreOptions forOperatorOnly() {
    return with(
        changed -> {
          changed.operatorOnly = true;
          changed.makeFirstKey = false;
        });
  }

  /** Returns these options with other skills on the card. */
  public CoreOptions withSkills(List<Skill> callable) {
    return with(changed -> changed.skills = callable);
  }

  /** Returns these options with another patience for readers that do not read. */
  public CoreOptions withStallTimeout(Duration timeout) {
    return with(changed -> changed.stallTimeout = timeout);
  }

  /** Returns these options, looking for events that may go in another interval. */
  public CoreOptions withRetentionInterval(Duration interval) {
    return with(changed -> changed.retentionInterval = interval);
  }

  /** Returns these options, looking at the credentials of open streams in another interval. */
  public CoreOptions withCredentialInterval(Duration interval) {
    return with(changed -> changed.credentialInterval = interval);
  }

  /** Returns these options with other ways in. */
  public CoreOptions withAccess(AccessOptions other) {
    return with(changed -> changed.access = other);
  }

  /** Returns these options, with a folder of the machine that workspaces may have folders in. */
  public CoreOptions withWorkspaceRoot(Optional<Path> folder) {
    return with(changed -> changed.workspaceRoot = folder);
  }

  /** Returns these options, calling out in another way. */
  public CoreOptions withOutbound(OutboundOptions calls) {
    return with(changed -> changed.outbound = calls);
  }

  /** Returns these options with other times of webhooks. */
  public CoreOptions withWebhooks(WebhookOptions times) {
    return with(changed -> changed.webhooks = times);
  }

  /** Returns these options with other times of polls. */
  public CoreOptions withPolls(PollOptions times) {
    return with(changed -> changed.polls = times);
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
    private String host;
    private int grpcPort;
    private TaskOptions tasks;
    private boolean exclusive;
    private boolean makeFirstKey;
    private boolean operatorOnly;
    private List<Skill> skills;
    private int threads;
    private int maxQueuedCalls;
    private int maxStreams;
    private Duration stallTimeout;
    private Duration retentionInterval;
    private Duration credentialInterval;
    private Duration drainTime;
    private AccessOptions access;
    private Optional<Path> workspaceRoot;
    private OutboundOptions outbound;
    private WebhookOptions webhooks;
    private PollOptions polls;
    private TenantLimits limits;

    Changed(CoreOptions from) {
      host = from.host;
      grpcPort = from.grpcPort;
      tasks = from.tasks;
      exclusive = from.exclusive;
      makeFirstKey = from.makeFirstKey;
      operatorOnly = from.operatorOnly;
      skills = from.skills;
      threads = from.threads;
      maxQueuedCalls = from.maxQueuedCalls;
      maxStreams = from.maxStreams;
      stallTimeout = from.stallTimeout;
      retentionInterval = from.retentionInterval;
      credentialInterval = from.credentialInterval;
      drainTime = from.drainTime;
      access = from.access;
      workspaceRoot = from.workspaceRoot;
      outbound = from.outbound;
      webhooks = from.webhooks;
      polls = from.polls;
      limits = from.limits;
    }

    CoreOptions options() {
      return new CoreOptions(
          host,
          grpcPort,
          tasks,
          exclusive,
          makeFirstKey,
          operatorOnly,
          skills,
          threads,
          maxQueuedCalls,
          maxStreams,
          stallTimeout,
          retentionInterval,
          credentialInterval,
          drainTime,
          access,
          workspaceRoot,
          outbound,
          webhooks,
          polls,
          limits);
    }
  }
}

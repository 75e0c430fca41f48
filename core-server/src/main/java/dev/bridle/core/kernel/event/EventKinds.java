package dev.bridle.core.kernel.event;

/** The kinds of events that the core emits (protocol section "Event taxonomy"). */
public final class EventKinds {
  public static final String USER_MESSAGE = "user.message";
  public static final String USER_INPUT_SUBMITTED = "user.input_submitted";
  public static final String USER_CANCEL_REQUESTED = "user.cancel_requested";
  public static final String USER_TOOL_CONFIRMATION = "user.tool_confirmation";
  public static final String AGENT_MESSAGE = "agent.message";
  public static final String TASK_SUBMITTED = "task.submitted";
  public static final String TASK_STARTED = "task.started";
  public static final String TASK_INPUT_REQUIRED = "task.input_required";
  public static final String TASK_AUTH_REQUIRED = "task.auth_required";
  public static final String TASK_COMPLETED = "task.completed";
  public static final String TASK_FAILED = "task.failed";
  public static final String TASK_CANCELED = "task.canceled";
  public static final String TASK_STATUS_CHANGED = "task.status_changed";
  public static final String SESSION_CREATED = "session.created";
  public static final String SESSION_CLOSED = "session.closed";
  public static final String SESSION_MESSAGE_APPENDED = "session.message_appended";
  public static final String SESSION_TRUNCATED = "session.truncated";
  public static final String SESSION_THREAD_FORKED = "session.thread_forked";
  public static final String SESSION_REPLAYED = "session.replayed";
  public static final String BRANCH_CREATED = "branch.created";
  public static final String ARTIFACT_CREATED = "artifact.created";
  public static final String ARTIFACT_UPDATED = "artifact.updated";
  public static final String ARTIFACT_REDACTED = "artifact.redacted";
  public static final String RECEIPT_ISSUED = "receipt.issued";
  public static final String RECEIPT_VERIFIED = "receipt.verified";
  public static final String RECEIPT_VERIFICATION_FAILED = "receipt.verification_failed";

  public static final String REPLAY_STARTED = "replay.started";
  public static final String REPLAY_EVENT_REPLAYED = "replay.event_replayed";
  public static final String REPLAY_COMPLETED = "replay.completed";
  public static final String REPLAY_FAILED = "replay.failed";

  public static final String TOOL_REQUESTED = "tool.requested";
  public static final String TOOL_COMPLETED = "tool.completed";
  public static final String TOOL_FAILED = "tool.failed";
  public static final String TOOL_APPROVAL_REQUIRED = "tool.approval_required";
  public static final String TOOL_APPROVED = "tool.approved";
  public static final String TOOL_DENIED = "tool.denied";

  public static final String CONNECTOR_RECEIVED = "connector.delivery_received";
  public static final String CONNECTOR_DEDUPED = "connector.delivery_deduped";
  public static final String CONNECTOR_NORMALIZED = "connector.normalized";
  public static final String CONNECTOR_SUBMITTED = "connector.task_submitted";
  public static final String CONNECTOR_FAILED = "connector.failed";

  /** A vendor event: nobody decided a permission request in time, or its task ended before. */
  public static final String PERMISSION_EXPIRED = "vendor.bridle.permission_expired";

  /**
   * A vendor event: an agent says more of an action than it did when it asked, so that the question
   * has ended, or what was approved counts for nothing.
   */
  public static final String PERMISSION_CHANGED = "vendor.bridle.permission_changed";

  /** A vendor event: an agent has acted otherwise than was allowed. */
  public static final String ACTED_DIFFERENTLY = "vendor.bridle.acted_differently";

  /** A vendor event: an approval or a standing grant allowed an action. */
  public static final String PERMISSION_USED = "vendor.bridle.permission_used";

  /** A vendor event: an approver delegated a permission request. */
  public static final String PERMISSION_DELEGATED = "vendor.bridle.permission_delegated";

  /** A vendor event: a device was asked for a signed decision about a permission request. */
  public static final String DECISION_REQUESTED = "vendor.bridle.decision_requested";

  /** A vendor event: what was delivered as a device's decision does not count. */
  public static final String DECISION_REFUSED = "vendor.bridle.decision_refused";

  /** A vendor event: a relay does not take a request for a decision, or give a decision back. */
  public static final String DECISION_UNDELIVERED = "vendor.bridle.decision_undelivered";

  /** A vendor event: an answer created a standing grant. */
  public static final String PERMISSION_GRANTED = "vendor.bridle.permission_granted";

  /** A vendor event: a standing grant was revoked. */
  public static final String PERMISSION_REVOKED = "vendor.bridle.permission_grant_revoked";

  /** A vendor event: a session's members changed. */
  public static final String SESSION_UPDATED = "vendor.bridle.session_updated";

  /** A vendor event: a workspace was created. */
  public static final String WORKSPACE_CREATED = "vendor.bridle.workspace_created";

  /** A vendor event: a workspace's members changed. */
  public static final String WORKSPACE_UPDATED = "vendor.bridle.workspace_updated";

  /** A vendor event: a file of a workspace was written; the content stays out of the log. */
  public static final String WORKSPACE_FILE_WRITTEN = "vendor.bridle.workspace_file_written";

  /** A vendor event: a persona was created. */
  public static final String PERSONA_CREATED = "vendor.bridle.persona_created";

  /** A vendor event: a persona's members changed. */
  public static final String PERSONA_UPDATED = "vendor.bridle.persona_updated";

  /** A vendor event: a skill was created. */
  public static final String SKILL_CREATED = "vendor.bridle.skill_created";

  /** A vendor event: a skill's members changed. */
  public static final String SKILL_UPDATED = "vendor.bridle.skill_updated";

  /** A vendor event: a quota was created. */
  public static final String QUOTA_CREATED = "vendor.bridle.quota_created";

  /** A vendor event: a quota's members changed. */
  public static final String QUOTA_UPDATED = "vendor.bridle.quota_updated";

  /** A vendor event: the usage of a quota has reached one of its limits. */
  public static final String QUOTA_REACHED = "vendor.bridle.quota_reached";

  /** A vendor event: a worker reported the usage of a task. */
  public static final String USAGE_RECORDED = "vendor.bridle.usage_recorded";

  /** A vendor event: a worker reported a call of a model. */
  public static final String MODEL_CALLED = "vendor.bridle.model_called";

  /** A vendor event: a worker reported that it has changed a file. */
  public static final String FILE_WRITTEN = "vendor.bridle.file_written";

  /** A vendor event: a worker reported that it has run a command. */
  public static final String COMMAND_RUN = "vendor.bridle.command_run";

  /** A vendor event: a worker reported that it has sent data over a network. */
  public static final String NETWORK_EGRESS = "vendor.bridle.network_egress";

  /** A vendor event: a worker reported that it has handed work to another agent. */
  public static final String HANDED_OFF = "vendor.bridle.handed_off";

  /** A vendor event: a worker reported that it has called a tool. */
  public static final String TOOL_CALLED = "vendor.bridle.tool_called";

  /** A vendor event: a persona's tier allowed an action. */
  public static final String ACTION_ALLOWED = "vendor.bridle.action_allowed";

  /** A vendor event: an action was not done, since the persona's autonomy is {@code shadow}. */
  public static final String ACTION_SHADOWED = "vendor.bridle.action_shadowed";

  /** A vendor event: an action was not done, since the persona's autonomy is {@code propose}. */
  public static final String ACTION_PROPOSED = "vendor.bridle.action_proposed";

  /** A vendor event: a memory was created; its content stays out of the log. */
  public static final String MEMORY_CREATED = "vendor.bridle.memory_created";

  /** A vendor event: a memory was deleted. */
  public static final String MEMORY_DELETED = "vendor.bridle.memory_deleted";

  /** A vendor event: a vault was created. */
  public static final String VAULT_CREATED = "vendor.bridle.vault_created";

  /** A vendor event: a vault's members changed. */
  public static final String VAULT_UPDATED = "vendor.bridle.vault_updated";

  /** A vendor event: a secret was put into a vault; the event has only its name and version. */
  public static final String SECRET_SET = "vendor.bridle.vault_secret_set";

  /** A vendor event: a secret of a vault got a new value. */
  public static final String SECRET_ROTATED = "vendor.bridle.vault_secret_rotated";

  /** A vendor event: a secret of a vault was deleted. */
  public static final String SECRET_DELETED = "vendor.bridle.vault_secret_deleted";

  /** A vendor event: a worker was given a secret. */
  public static final String SECRET_USED = "vendor.bridle.secret_used";

  /** A vendor event: a connector was created. */
  public static final String CONNECTOR_CREATED = "vendor.bridle.connector_created";

  /** A vendor event: a connector's members changed, its ingress path or state among them. */
  public static final String CONNECTOR_UPDATED = "vendor.bridle.connector_updated";

  /** A vendor event: a connector was deleted. */
  public static final String CONNECTOR_DELETED = "vendor.bridle.connector_deleted";

  /** A vendor event: a failed delivery is retried, or was discarded. */
  public static final String CONNECTOR_DELIVERY_SETTLED =
      "vendor.bridle.connector_delivery_settled";

  /** A vendor event: a schedule was created. */
  public static final String SCHEDULE_CREATED = "vendor.bridle.schedule_created";

  /** A vendor event: a schedule's members changed, its state among them. */
  public static final String SCHEDULE_UPDATED = "vendor.bridle.schedule_updated";

  /** A vendor event: a schedule was deleted. */
  public static final String SCHEDULE_DELETED = "vendor.bridle.schedule_deleted";

  /** A vendor event: a schedule created a task. */
  public static final String SCHEDULE_RUN = "vendor.bridle.schedule_run";

  /** A vendor event: runs of a schedule were missed. */
  public static final String SCHEDULE_MISSED = "vendor.bridle.schedule_missed";

  /** A vendor event: a run of a schedule failed to create a task. */
  public static final String SCHEDULE_FAILED = "vendor.bridle.schedule_failed";

  /** A vendor event: a webhook was created. */
  public static final String WEBHOOK_CREATED = "vendor.bridle.webhook_created";

  /** A vendor event: a webhook's members changed, or somebody paused or resumed it. */
  public static final String WEBHOOK_UPDATED = "vendor.bridle.webhook_updated";

  /** A vendor event: the server paused a webhook, since its deliveries had failed for long. */
  public static final String WEBHOOK_PAUSED = "vendor.bridle.webhook_paused";

  /** A vendor event: a webhook was deleted. */
  public static final String WEBHOOK_DELETED = "vendor.bridle.webhook_deleted";

  /** A vendor event: a webhook's delivery is resent, or was discarded. */
  public static final String WEBHOOK_DELIVERY_SETTLED = "vendor.bridle.webhook_delivery_settled";

  /** A vendor event: the progress of a task. */
  public static final String PROGRESS = "vendor.bridle.progress";

  /**
   * A vendor event: a worker recorded what it can't compute again; the payload has its commitment
   * only.
   */
  public static final String DEPENDENCY_RECORDED = "vendor.bridle.dependency_recorded";

  /** A vendor event: an attempt began, after the first one. */
  public static final String ATTEMPT_STARTED = "vendor.bridle.attempt_started";

  /** A vendor event: an attempt ended without ending the task. */
  public static final String ATTEMPT_ENDED = "vendor.bridle.attempt_ended";

  /** A vendor event: a waiting task was bound to an agent that registered. */
  public static final String TASK_BOUND = "vendor.bridle.task_bound";

  /** A vendor event: content of a session was redacted. */
  public static final String CONTENT_REDACTED = "vendor.bridle.content_redacted";

  /** A vendor event: an import loaded history, for which no single events are emitted. */
  public static final String IMPORTED = "vendor.bridle.imported";

  /** A vendor event: the server was restored from a backup. */
  public static final String RESTORED = "vendor.bridle.restored";

  private EventKinds() {}

  /**
   * Returns the kind of event of a resource that is an extension of this server.
   *
   * @param resource the resource's name, such as {@code skill}
   * @param change the change, such as {@code created}
   */
  public static String ofResource(String resource, String change) {
    return "vendor.bridle." + resource + "_" + change;
  }
}

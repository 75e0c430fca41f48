package dev.bridle.core.fault;

/** The scripts, from a submission to an end. Each asks again for what it was told before. */
enum Scenarios implements Scenario {
  /** Submit, lease, report, complete: each told twice in the end. */
  TASK,

  /** A worker waits before there is a task, and gets it with the submission. */
  WAITING_WORKER,

  /** Calls of a worker carry reports that overlap, and each call is made twice. */
  BATCHES,

  /** A task is canceled while a worker holds it, and another one before anybody does. */
  CANCEL,

  /** A client loses its answers and sends each submission twice, with its key. */
  RETRY,

  /** A worker goes quiet; another one ends its task, and the first one comes back too late. */
  EXPIRY,

  /** A handler asks, a user answers, and the task goes on. */
  QUESTION,

  /** A handler asks before it acts, a person approves, and the approval is used once. */
  PERMISSION,

  /** Nobody answers in time; a second task of the session ends while it waits. */
  PERMISSION_EXPIRY,
  PERMISSION_CHANGE,

  /**
   * A handler asks a client to run a tool: a person allows it, one call is answered, the other
   * times out.
   */
  HOST_TOOL,

  /** A user says something to a task that works; the worker is lost, and the next one takes it. */
  MESSAGE,

  /** A task is replayed, by a worker of the server that reports, and ends as the task ended. */
  REPLAY,

  /** A session is replayed as in {@link #REPLAY}. */
  SESSION_REPLAY,

  /** A task's handler is run again by a worker of replays, then its log as in {@link #REPLAY}. */
  EXECUTED_REPLAY,

  /** A replay whose handler is answered with another value, says something else, and ends. */
  OVERRIDDEN_REPLAY,

  /** A task is to be executed again, and no worker of replays is there. */
  UNCLAIMED_REPLAY,

  /** An attempt fails and is tried again, the next one fails for good; each is told twice. */
  FAILURE,

  /** A handler ends with a question after its task's cancellation was asked for. */
  LATE_QUESTION,

  /** A secret is set, set anew, and used by the holder of a task, who asks twice. */
  SECRET,

  /** A provider delivers, and delivers the same again: it becomes one task. */
  DELIVERY,

  /** A list is polled, and polled again with something new in it: each item becomes one task. */
  POLL,

  /** A schedule runs, gets another time, runs again, and is deleted. */
  SCHEDULE,

  /** Somebody outside hears of a task, each event in its order, until that is no longer wanted. */
  WEBHOOK,

  /** A file is written, written anew with more, and the first write told again. */
  FILE,

  /** A client registers an artifact and sends its content, more than one transaction takes. */
  UPLOAD,

  /**
   * An answer, and an artifact, are redacted once their task has ended; both are asked for twice.
   */
  REDACTION,

  /** An artifact is relayed to two approvers, decided, delivered and acknowledged, each twice. */
  EXCHANGE,

  /** A request is withdrawn, and another one dismissed by one approver and decided by none. */
  EXCHANGE_END,

  /**
   * A device of an approver signs a decision about an action; another one's request is taken back.
   */
  SIGNED_DECISION,

  /**
   * A device decides for a session without the relay, twice; the grant lets another action pass.
   */
  WHOLE_DECISION,

  /** A second device is enrolled, of which the first one hears; that one is tested, and revoked. */
  DEVICE_NOTICE,

  /** A new device is paired, its pairing confirmed twice, used by its tokens, and revoked twice. */
  RELAY_PAIRING,

  /** An approver and an enforcer open channels, receive over them, and close them. */
  RELAY_CHANNELS,

  /** A prompt is sent twice and delivered once; another one expires before a worker has it. */
  PROMPT,

  /** A session of another host begins, is followed, and ends, each event sent twice. */
  LAYER_SESSION;

  @Override
  public void play(World world) {
    switch (this) {
      case TASK -> TaskScripts.task(world);
      case WAITING_WORKER -> TaskScripts.waitingWorker(world);
      case BATCHES -> TaskScripts.batches(world);
      case CANCEL -> TaskScripts.cancel(world);
      case RETRY -> TaskScripts.retry(world);
      case EXPIRY -> TaskScripts.expiry(world);
      case QUESTION -> QuestionScripts.question(world);
      case PERMISSION -> QuestionScripts.permission(world);
      case PERMISSION_EXPIRY -> QuestionScripts.permissionExpiry(world);
      case PERMISSION_CHANGE -> QuestionScripts.permissionChange(world);
      case HOST_TOOL -> QuestionScripts.hostTool(world);
      case MESSAGE -> QuestionScripts.message(world);
      case REPLAY -> ReplayScripts.replay(world);
      case SESSION_REPLAY -> ReplayScripts.session(world);
      case EXECUTED_REPLAY -> ReplayScripts.execute(world);
      case OVERRIDDEN_REPLAY -> OverrideScript.replay(world);
      case UNCLAIMED_REPLAY -> ReplayScripts.unclaimed(world);
      case FAILURE -> TaskScripts.failure(world);
      case LATE_QUESTION -> QuestionScripts.lateQuestion(world);
      case SECRET -> ContentScripts.secret(world);
      case DELIVERY -> IntegrationScripts.delivery(world);
      case POLL -> IntegrationScripts.poll(world);
      case SCHEDULE -> IntegrationScripts.schedule(world);
      case WEBHOOK -> IntegrationScripts.webhook(world);
      case FILE -> ContentScripts.file(world);
      case UPLOAD -> ContentScripts.upload(world);
      case REDACTION -> ContentScripts.redaction(world);
      case EXCHANGE -> RelayScripts.decided(world);
      case EXCHANGE_END -> RelayScripts.undecided(world);
      case SIGNED_DECISION -> DecisionScripts.signed(world);
      case WHOLE_DECISION -> DecisionScripts.whole(world);
      case DEVICE_NOTICE -> NoticeScripts.notices(world);
      case RELAY_PAIRING -> PartyScripts.pairing(world);
      case RELAY_CHANNELS -> PartyScripts.channels(world);
      case PROMPT -> PromptScripts.prompt(world);
      case LAYER_SESSION -> LayerSessionScripts.session(world);
    }
  }
}

package dev.bridle.core.kernel.command;

/**
 * The closed list of writes without a command id. Each one checks a token in the transaction that
 * writes, so that a second, or late, attempt changes nothing that the first has not.
 */
public enum FencedWrite {
  /** Counts a renewal under the lease's fencing token; one counted twice is harmless. */
  HEARTBEAT,
  /**
   * Finds the step recorded under its key by the first attempt, and returns that; so do the reports
   * that this and other calls of workers carry.
   */
  REPORT_STEP,
  /** Finds the steps of a replay recorded under their keys by the first attempt. */
  COMPARE_STEPS,
  /** Finds the question asked under its key by the first attempt, and returns that. */
  REQUEST_INPUT,
  /**
   * Finds the request asked, or its approval used, under the same step key and fence by the first
   * attempt, and returns that.
   */
  REQUEST_PERMISSION,
  /** Finds the messages recorded as taken, and leaves them so. */
  TAKE_MESSAGES,
  /** Finds the task no longer waiting for the question of this step key, and leaves it alone. */
  WITHDRAW_QUESTION,
  /** Finds the report recorded under its key by the first attempt. */
  REPORT_DIVERGENCE,
  /**
   * Finds the use of this version recorded under the same step key and fence, and emits no second
   * event.
   */
  USE_SECRET,
  /** Finds a state kept that is as new, and leaves it. */
  SESSION_STATE,
  /** Finds the attempt ended under the same fence, and answers with the task's status. */
  END_ATTEMPT,
  /** Finds the leases granted under the same claim, whose id all attempts share. */
  CLAIM,
  /** Finds the task no longer queued, or within its quotas again, and leaves it alone. */
  REFUSE_TASK,
  /** Finds the lease no longer held under its fence, and leaves the task alone. */
  TAKE_BACK,
  /** Finds no lease of an earlier run on the task any more, and leaves it alone. */
  TAKE_BACK_AT_START,
  /** Finds no lease of a former host of the folder on the task any more, and leaves it alone. */
  TAKE_BACK_OF_HOST,
  /** Finds the task bound to an agent, or no longer waiting, and leaves it alone. */
  BIND_AGENT,
  /** Finds the due entry no longer the task's own, and only removes it. */
  SWEEP,
  /** Clears an expired record and its due entry, which clearing again does not change. */
  FORGET_COMMAND,
  /** Finds the receipt no longer owed, and leaves the task alone. */
  ISSUE_RECEIPT,
  /** Finds the delivery worked on, or due at another time, and leaves it alone. */
  WORK_DELIVERY,
  /** Finds the schedule's run made, or due at another time, and leaves it alone. */
  RUN_SCHEDULE,
  /**
   * Finds the webhook's cursor past the events, or the delivery claimed by another, and stops;
   * finds the deliveries that an earlier attempt has claimed, whose claim id all attempts share.
   */
  WORK_WEBHOOK,
  /**
   * Finds the connector's poll claimed by another, or due at another time, and leaves it alone;
   * finds its own claim still valid, and stores the same cursor and validators again.
   */
  WORK_POLL,
  /** Finds the redaction's copies erased up to another place, or done, and leaves it alone. */
  ERASE_COPIES,
  /** Stores pieces under the id of one upload, whose bytes they are at every attempt. */
  UPLOAD_PIECES,
  /** Finds the exchange of the same request and hash, and leaves it. */
  SUBMIT_ARTIFACT,
  /** Finds the exchange decided by the same decision, and leaves it. */
  SUBMIT_DECISION,
  /** Finds the message acknowledged, and its exchange delivered. */
  ACKNOWLEDGE_MESSAGE,
  /** Finds the request dismissed by the same approver, and leaves it so. */
  DISMISS_REQUEST,
  /** Finds the exchange ended in the same way, or due at another time, and leaves it alone. */
  END_EXCHANGE,
  /** Finds the party created for the same actor, or revoked, and leaves it so. */
  CHANGE_PARTY,
  /** Finds the channel opened, described or closed by the same change, and leaves it so. */
  CHANGE_CHANNEL,
  /**
   * Finds the pairing completed with the key or the device of this call, confirmed with the same
   * proof, or due at another time.
   */
  COMPLETE_PAIRING,
  /** Finds the request for a decision sent, taken back or removed, and leaves it so. */
  SEND_REQUEST,
  /** Finds the request for a decision ended, and leaves its task alone. */
  ACCEPT_DECISION,
  /** Finds the prompt of the same request and hash accepted, and submits no second task. */
  SEND_PROMPT,
  /** Finds the prompt expired, removed, or due at another time, and leaves it alone. */
  END_PROMPT,
  /** Finds the same event stored, and leaves it. */
  POST_SESSION_EVENT,
  /** Finds the session's events removed, or the session due at another time, and goes on. */
  REMOVE_LAYER_SESSION
}

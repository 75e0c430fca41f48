package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;

/**
 * How a turn ended.
 *
 * @param reason why
 * @param spelled the reason as the agent spelled it; {@code idle} for a daemon that waits
 * @param whole the answer to {@code session/prompt} as it was spelled; absent if there is none
 */
public record PromptEnd(Reason reason, String spelled, RawJson whole) {
  /** Why a turn ended. */
  public enum Reason {
    /** The agent has finished. */
    END_TURN,
    /** The most tokens were used. */
    MAX_TOKENS,
    /** The most requests to the model were made. */
    MAX_TURN_REQUESTS,
    /** The agent refused to go on. */
    REFUSAL,
    /** The turn was cancelled, by whomever. */
    CANCELLED,
    /** A reason that this version does not know, or none. */
    UNKNOWN
  }

  /** A daemon has said that it waits. */
  static PromptEnd idle(boolean cancelled) {
    return cancelled
        ? new PromptEnd(Reason.CANCELLED, "cancelled", RawJson.absent())
        : new PromptEnd(Reason.END_TURN, "idle", RawJson.absent());
  }

  static PromptEnd of(RawJson whole) {
    String spelled = Members.of(whole).text("stopReason");
    Reason reason =
        switch (spelled) {
          case "end_turn" -> isDone(whole) ? Reason.END_TURN : Reason.UNKNOWN;
          case "max_tokens" -> Reason.MAX_TOKENS;
          case "max_turn_requests" -> Reason.MAX_TURN_REQUESTS;
          case "refusal" -> Reason.REFUSAL;
          case "cancelled" -> Reason.CANCELLED;
          default -> Reason.UNKNOWN;
        };
    return new PromptEnd(reason, spelled, whole.alone());
  }

  /**
   * Returns whether a turn that ended as {@code end_turn} is done: Harn's runtimes end one so, too,
   * whose work was stopped by a policy, say, and name what ended it.
   */
  private static boolean isDone(RawJson whole) {
    String kind = terminal(whole);
    return kind.isEmpty() || kind.equals("natural");
  }

  /** Returns what ended the work of the turn, as Harn's runtimes name it; empty for others. */
  public String terminal() {
    return terminal(whole);
  }

  private static String terminal(RawJson whole) {
    return HarnMembers.of(whole).json("terminal").path("kind").asText("");
  }
}

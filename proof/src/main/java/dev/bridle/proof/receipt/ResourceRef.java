package dev.bridle.proof.receipt;

/**
 * What a receipt is about.
 *
 * @param object {@code task}, {@code outcome}, {@code event}, {@code artifact}, {@code approval},
 *     {@code tool_call} or {@code replay_segment}
 * @param id its id
 */
public record ResourceRef(String object, String id) {
  /** The object of a replay's receipt, which is not a link of its session's chain. */
  public static final String REPLAY_SEGMENT = "replay_segment";
}

package dev.bridle.host.preset;

import java.util.Set;

/**
 * What is known of how an agent asks before it acts.
 *
 * @param perCall members of its tool calls' inputs that are others in each call, and say nothing of
 *     the action: ids, times
 * @param completesInput whether it may say the rest of a call's input right after it asks about the
 *     call, so that a question waits for it
 */
public record RequestTraits(Set<String> perCall, boolean completesInput) {
  /** Nothing is known. */
  public static final RequestTraits NONE = new RequestTraits(Set.of(), false);

  /** Copies. */
  public RequestTraits {
    perCall = Set.copyOf(perCall);
  }
}

package dev.bridle.host.task;

import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.worker.Permission;
import java.time.Duration;

/**
 * How an agent's requests for permission are put.
 *
 * @param mustAsk whether the agent has to ask, so that acting without is a fault
 * @param forAll whether that goes for all that it does not claim to only read, and not only for
 *     what it claims to act
 * @param hold how long its process is kept for an answer
 * @param sessionGrantsOnly whether no grant outlasts the session, since the agent could reach the
 *     keys with which people answer
 * @param signedOnly whether only signed decisions of devices are taken
 * @param requests what is known of how the agent asks
 */
record AskingRules(
    boolean mustAsk,
    boolean forAll,
    Duration hold,
    boolean sessionGrantsOnly,
    boolean signedOnly,
    RequestTraits requests) {

  /** Returns whether a tool call is a fault if nobody has allowed it. */
  boolean need(ToolCall call) {
    return mustAsk && (call.acts() || (forAll && !call.onlyReads()));
  }

  /** Returns a request for permission with these rules applied. */
  Permission applyTo(Permission permission) {
    Permission held = permission.holding(hold);
    Permission granted = sessionGrantsOnly ? held.withSessionGrantsOnly() : held;
    return signedOnly ? granted.bySignedDecisionsOnly() : granted;
  }
}

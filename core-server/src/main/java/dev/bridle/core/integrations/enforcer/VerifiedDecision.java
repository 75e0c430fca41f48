package dev.bridle.core.integrations.enforcer;

import dev.bridle.core.work.permission.SignedAnswers;
import dev.bridle.harp.core.Decision;
import dev.bridle.permission.v1.ApprovalDevice;
import java.util.Optional;

/**
 * A decision for which all checks hold.
 *
 * @param device whose it is
 * @param decision what the device has signed
 * @param presented as it came
 * @param option the agent's option whose button was pressed
 * @param grant the standing grant that the decision chooses
 */
record VerifiedDecision(
    ApprovalDevice device,
    Decision decision,
    PresentedDecision presented,
    Optional<String> option,
    Optional<SignedAnswers.ChosenGrant> grant) {}

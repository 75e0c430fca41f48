package dev.bridle.core.work.permission;

import dev.bridle.permission.v1.ApprovalChannel;
import dev.bridle.permission.v1.DecisionEvidence;
import java.util.Optional;

/**
 * Who gave an answer, and what shows it.
 *
 * @param actor the approver
 * @param channel the way by which it came
 * @param evidence the signed decision that it is of; empty for an answer by a credential
 */
record AnswerSource(String actor, ApprovalChannel channel, Optional<DecisionEvidence> evidence) {}

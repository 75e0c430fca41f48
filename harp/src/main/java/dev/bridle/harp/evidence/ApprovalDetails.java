package dev.bridle.harp.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an approval is about, who has answered, and when, for people to read. Nothing of it is
 * verified here: it counts for an approval that {@link EvidenceVerifier} has found valid, as far as
 * that could check. All texts are somebody else's, and not safe to print.
 *
 * @param action the kind of the action, as the receipt says
 * @param decidedAt when it was decided, as the receipt says
 * @param required how many approvals were required
 * @param grant the standing grant that has allowed it, or empty where the action was asked about
 * @param shown what devices were shown and have signed the hash of; empty if the bundle does not
 *     have it, or no device has signed
 * @param answers who has answered, those whose devices have signed first
 */
public record ApprovalDetails(
    String action,
    String decidedAt,
    int required,
    String grant,
    Optional<SignedAction> shown,
    List<ApprovalAnswer> answers) {
  /** Copies the list. */
  public ApprovalDetails {
    answers = List.copyOf(answers);
  }

  /** Returns the details of a bundle's approvals, in the order of its receipt. */
  public static List<ApprovalDetails> of(EvidenceBundle bundle) {
    List<ApprovalDetails> all = new ArrayList<>();
    for (JsonNode approval : bundle.receipt().path("approvals")) {
      all.add(of(bundle, approval));
    }
    return List.copyOf(all);
  }

  private static ApprovalDetails of(EvidenceBundle bundle, JsonNode approval) {
    ObjectNode evidence =
        bundle
            .evidence(approval.path("approval_id").asText())
            .orElse(JsonNodeFactory.instance.objectNode());
    List<ApprovalAnswer> answers = new ArrayList<>();
    Optional<SignedAction> shown = Optional.empty();
    for (JsonNode decision : evidence.path("decisions")) {
      String request = decision.path("decision").path("requestId").asText();
      String reason = bundle.reason(request).map(GivenReason::text).orElse("");
      answers.add(signed(decision, evidence.path("keys"), reason));
      shown = shown.or(() -> bundle.action(request));
    }
    evidence.path("unsigned").forEach(answer -> answers.add(attested(answer)));
    JsonNode proof = approval.path("quorum_proof");
    if (answers.isEmpty()) {
      proof.path("actors").forEach(actor -> answers.add(attested(actor.asText(), approval)));
    }
    return new ApprovalDetails(
        approval.path("action").asText(),
        approval.path("decided_at").asText(),
        proof.path("required").asInt(1),
        proof.path("grant_id").asText(),
        shown,
        answers);
  }

  private static ApprovalAnswer signed(JsonNode answer, JsonNode keys, String reason) {
    String id = answer.path("approval_device_id").asText();
    JsonNode enrolment = JsonNodeFactory.instance.objectNode();
    for (JsonNode key : keys) {
      if (key.path("enrolment").path("approval_device_id").asText().equals(id)) {
        enrolment = key.path("enrolment");
      }
    }
    JsonNode decision = answer.path("decision");
    JsonNode hints = decision.path("policyHints");
    return new ApprovalAnswer(
        answer.path("actor").asText(),
        Optional.of(answer.path("approved").asBoolean()),
        answer.path("answered_at").asText(),
        List.of("harp"),
        Optional.of(
            new ApprovalAnswer.Signature(
                new ApprovalAnswer.Device(
                    id,
                    enrolment.path("approver_id").asText(),
                    enrolment.path("signer_key_id").asText(),
                    Base64Url.decode(enrolment.path("signing_key").asText())
                        .map(key -> Sha256.of(key).toString())
                        .orElse(""),
                    enrolment.path("enrolled_by").asText(),
                    enrolment.path("enrolled_at").asText()),
                decision.path("scope").asText(),
                decision.path("expiresAt").asText(),
                hints.path("dev.bridle.option").asText(),
                hints.path("dev.bridle.grant").asText(),
                reason)));
  }

  private static ApprovalAnswer attested(JsonNode answer) {
    return new ApprovalAnswer(
        answer.path("actor").asText(),
        Optional.of(answer.path("approved").asBoolean()),
        answer.path("answered_at").asText(),
        List.of(answer.path("channel").asText()),
        Optional.empty());
  }

  /** A receipt without evidence counts the answers, and does not say which is whose. */
  private static ApprovalAnswer attested(String actor, JsonNode approval) {
    JsonNode proof = approval.path("quorum_proof");
    boolean isCounted = proof.has("denied") && proof.has("approved");
    boolean allApproved = !isCounted || proof.path("denied").asLong() == 0;
    boolean allDenied = isCounted && proof.path("approved").asLong() == 0;
    List<String> channels = new ArrayList<>();
    proof.path("channels").forEach(channel -> channels.add(channel.asText()));
    return new ApprovalAnswer(
        actor,
        allApproved || allDenied ? Optional.of(allApproved) : Optional.empty(),
        proof.path("actors").size() == 1 ? approval.path("decided_at").asText() : "",
        channels,
        Optional.empty());
  }
}

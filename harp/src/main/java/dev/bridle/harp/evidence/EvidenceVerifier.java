package dev.bridle.harp.evidence;

import static dev.bridle.harp.evidence.EvidenceCheck.APPROVAL;
import static dev.bridle.harp.evidence.EvidenceCheck.ARTIFACT;
import static dev.bridle.harp.evidence.EvidenceCheck.EVIDENCE;
import static dev.bridle.harp.evidence.EvidenceCheck.EVIDENCE_HASH;
import static dev.bridle.harp.evidence.EvidenceCheck.EXECUTED;
import static dev.bridle.harp.evidence.EvidenceException.demand;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies, with nothing fetched from anywhere, that the devices of people have signed exactly what
 * a receipt says was approved, and that it is what was executed. A verifier of receipts has
 * verified the receipt itself before.
 */
public final class EvidenceVerifier {
  private static final String FORMAT = "bridle-evidence-1";

  /** What the deciding event's commitment is called where there is evidence. */
  private static final String EVENT = "event";

  private static final String NOT_EXACT = "not_exact";

  private EvidenceVerifier() {}

  /**
   * Verifies the approvals of the bundle's receipt, in its order. Never throws for what is in the
   * bundle.
   */
  public static List<ApprovalResult> verify(EvidenceBundle bundle) {
    Optional<EvidenceException> ofAll = ofAll(bundle);
    DecisionCheck decisions = new DecisionCheck(bundle);
    List<ApprovalResult> results = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (JsonNode approval : bundle.receipt().path("approvals")) {
      String id = approval.path("approval_id").asText();
      boolean isRepeated = !seen.add(id) && isSigned(approval);
      Optional<EvidenceException> known =
          isRepeated ? Optional.of(fault(EVIDENCE, "an approval twice")) : ofAll;
      results.add(
          known.isPresent() ? failed(approval, known.get()) : verify(bundle, approval, decisions));
    }
    return results;
  }

  /** Returns what is wrong with the bundle as a whole, and so with each of its approvals. */
  private static Optional<EvidenceException> ofAll(EvidenceBundle bundle) {
    try {
      if (bundle.log().isGiven()) {
        bundle.log().check(bundle.receipt());
      }
      List<String> requests = new ArrayList<>();
      boolean hasAll = true;
      for (JsonNode approval : bundle.receipt().path("approvals")) {
        String id = approval.path("approval_id").asText();
        Optional<ObjectNode> evidence = bundle.evidence(id);
        hasAll &= evidence.isPresent() || !isSigned(approval);
        evidence.ifPresent(
            one ->
                one.path("decisions")
                    .forEach(
                        answer ->
                            requests.add(answer.path("decision").path("requestId").asText())));
      }
      if (hasAll) { // Else its own check names what is missing.
        bundle.checkRequests(requests);
      }
      return Optional.empty();
    } catch (EvidenceException e) {
      return Optional.of(e);
    }
  }

  private static EvidenceException fault(EvidenceCheck check, String why) {
    return new EvidenceException(check, why);
  }

  private static ApprovalResult failed(JsonNode approval, EvidenceException why) {
    return new ApprovalResult(
        approval.path("approval_id").asText(),
        approval.path("decision").asText(),
        isExact(approval),
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.of(why),
        List.of());
  }

  /** Returns whether the receipt has the hash of evidence: else it has that of an event. */
  private static boolean isSigned(JsonNode approval) {
    return approval.path("quorum_proof").has(EVENT);
  }

  private static ApprovalResult verify(
      EvidenceBundle bundle, JsonNode approval, DecisionCheck decisions) {
    Set<EvidenceCheck> notChecked = new LinkedHashSet<>();
    try {
      if (!isSigned(approval)) {
        return unsigned(bundle, approval);
      }
      String id = approval.path("approval_id").asText();
      ObjectNode evidence =
          bundle
              .evidence(id)
              .orElseThrow(() -> fault(EVIDENCE, "the bundle has none of this approval"));
      checkSame(bundle.receipt(), approval, evidence);
      Quorum quorum = Quorum.of(approval, evidence);
      quorum.check();
      Optional<ArtifactSummary> shown = Optional.empty();
      for (JsonNode decision : evidence.path("decisions")) {
        Optional<ArtifactSummary> one = decisions.check(decision, evidence, notChecked);
        checkExact(approval, one);
        shown = shown.or(() -> one);
      }
      return new ApprovalResult(
          id,
          approval.path("decision").asText(),
          isExact(approval),
          quorum.signers(),
          quorum.attested(),
          used(bundle.log(), approval, shown, notChecked),
          Optional.empty(),
          List.copyOf(notChecked));
    } catch (EvidenceException e) {
      return failed(approval, e);
    }
  }

  private static void checkDone(TaskLog log, String approval) throws EvidenceException {
    demand(!log.isDifferent(approval), EXECUTED, "the agent has acted otherwise than was approved");
  }

  private static boolean isExact(JsonNode approval) {
    return !approval.path("quorum_proof").path(NOT_EXACT).asBoolean();
  }

  private static void checkExact(JsonNode approval, Optional<ArtifactSummary> shown)
      throws EvidenceException {
    demand(
        shown.map(one -> one.question().isExact() == isExact(approval)).orElse(true),
        ARTIFACT,
        "the receipt says otherwise whether the action was known exactly");
  }

  /** An approval that nobody has signed: only the server says who has answered. */
  private static ApprovalResult unsigned(EvidenceBundle bundle, JsonNode approval)
      throws EvidenceException {
    JsonNode proof = approval.path("quorum_proof");
    List<String> actors = new ArrayList<>();
    proof.path("actors").forEach(actor -> actors.add(actor.asText()));
    demand(
        bundle.evidence(approval.path("approval_id").asText()).isEmpty(),
        EVIDENCE_HASH,
        "the receipt does not have the hash of this evidence");
    checkDone(bundle.log(), approval.path("approval_id").asText());
    return new ApprovalResult(
        approval.path("approval_id").asText(),
        approval.path("decision").asText(),
        isExact(approval),
        List.of(),
        actors,
        Optional.empty(),
        Optional.empty(),
        actors.isEmpty() ? List.of() : List.of(EVIDENCE));
  }

  private static void checkSame(JsonNode receipt, JsonNode approval, ObjectNode evidence)
      throws EvidenceException {
    demand(evidence.path("format").asText().equals(FORMAT), EVIDENCE, "it has another format");
    for (String list : List.of("decisions", "unsigned", "keys")) {
      demand(evidence.path(list).isArray(), EVIDENCE, "it has no list `" + list + "`");
    }
    demand(
        Sha256.of(CanonicalJson.bytes(evidence))
            .toString()
            .equals(approval.path("evidence_hash").asText()),
        EVIDENCE_HASH,
        "the receipt has the hash of other evidence");
    JsonNode of = evidence.path("approval");
    JsonNode ids = receipt.path("identifiers");
    boolean same =
        of.path("id").equals(approval.path("approval_id"))
            && of.path("action").equals(approval.path("action"))
            && of.path("decision").equals(approval.path("decision"))
            && of.path("decided_at").equals(approval.path("decided_at"))
            && of.path("task_id").equals(ids.path("task_id"))
            && of.path("session_id").equals(ids.path("session_id"));
    demand(same, APPROVAL, "it is of another approval, task or session, or says something else");
  }

  private static Optional<Boolean> used(
      TaskLog log,
      JsonNode approval,
      Optional<ArtifactSummary> shown,
      Set<EvidenceCheck> notChecked)
      throws EvidenceException {
    if (!log.isGiven() || !log.isWhole()) {
      notChecked.add(EXECUTED);
      return Optional.empty();
    }
    String id = approval.path("approval_id").asText();
    List<TaskLog.Use> uses = log.of(id);
    boolean approved = approval.path("decision").asText().equals("approved");
    demand(approved || uses.isEmpty(), EXECUTED, "it was executed though it was not approved");
    demand(uses.size() <= 1, EXECUTED, "one approval was used twice");
    if (!uses.isEmpty()) {
      if (shown.isEmpty()) {
        notChecked.add(EXECUTED);
      } else {
        demand(
            uses.get(0).fingerprint().equals(shown.get().fingerprint()),
            EXECUTED,
            "another action was executed than the one that was shown");
      }
    }
    checkDone(log, id);
    return Optional.of(!uses.isEmpty() && !log.hasChanged(id));
  }
}

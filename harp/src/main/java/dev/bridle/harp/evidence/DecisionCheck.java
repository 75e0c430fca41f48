package dev.bridle.harp.evidence;

import static dev.bridle.harp.evidence.EvidenceCheck.ARTIFACT;
import static dev.bridle.harp.evidence.EvidenceCheck.DECISION;
import static dev.bridle.harp.evidence.EvidenceCheck.DECISION_SIGNATURE;
import static dev.bridle.harp.evidence.EvidenceCheck.ENROLMENT;
import static dev.bridle.harp.evidence.EvidenceCheck.ISSUER;
import static dev.bridle.harp.evidence.EvidenceCheck.REASON;
import static dev.bridle.harp.evidence.EvidenceCheck.REVOCATION;
import static dev.bridle.harp.evidence.EvidenceException.demand;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Decision;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.harp.core.IssuerSignature;
import dev.bridle.harp.core.Scope;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.rule.DecisionRule;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.Base64Url;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.key.KeyValidity;
import dev.bridle.proof.key.VerificationKey;
import dev.bridle.proof.schema.Rfc3339;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Whether decisions are signed by devices of the people whom they count for; of one bundle. */
final class DecisionCheck {
  private final EvidenceBundle bundle;
  private final KeySet issuers;
  private final Set<String> nonces = new HashSet<>();
  private final Set<String> requests = new HashSet<>();

  DecisionCheck(EvidenceBundle bundle) {
    this.bundle = bundle;
    this.issuers = bundle.issuers();
  }

  /**
   * Checks a decision of an approval's evidence.
   *
   * @return what was shown, where the bundle has it
   */
  Optional<ArtifactSummary> check(
      JsonNode answer, ObjectNode evidence, Set<EvidenceCheck> notChecked)
      throws EvidenceException {
    Instant answeredAt = time(answer, "answered_at");
    JsonNode enrolment = checkEnrolment(answer, evidence, answeredAt, notChecked);
    Decision decision = decision(answer);
    VerificationKey key = key(enrolment);
    try {
      decision.verifySignature(key);
    } catch (HarpException e) {
      throw new EvidenceException(DECISION_SIGNATURE, e.getMessage());
    }
    demand(
        decision.signerKeyId().equals(enrolment.path("signer_key_id").asText()),
        DECISION,
        "it names another key");
    checkContent(decision, answer, answeredAt);
    checkScope(decision, evidence.path("approval"));
    checkRevocation(answer, answeredAt);
    checkReason(decision, notChecked);
    Optional<ArtifactSummary> shown = bundle.artifact(decision.subject().requestId());
    if (shown.isEmpty()) {
      notChecked.add(ARTIFACT);
    } else {
      if (shown.get().issue() == ArtifactSummary.Issue.UNKNOWN_KEY) {
        notChecked.add(ISSUER);
      }
      checkArtifact(shown.get(), decision, answer, evidence.path("approval"));
    }
    return shown;
  }

  /** Returns the enrolment of the device, which is its actor's. */
  private JsonNode checkEnrolment(
      JsonNode answer, ObjectNode evidence, Instant answeredAt, Set<EvidenceCheck> notChecked)
      throws EvidenceException {
    String device = answer.path("approval_device_id").asText();
    Optional<JsonNode> found = Optional.empty();
    for (JsonNode one : evidence.path("keys")) {
      if (one.path("enrolment").path("approval_device_id").asText().equals(device)) {
        demand(found.isEmpty(), ENROLMENT, "a device is enrolled twice");
        found = Optional.of(one);
      }
    }
    demand(found.isPresent(), ENROLMENT, "the device is not enrolled");
    JsonNode enrolment = found.get().path("enrolment");
    demand(
        enrolment.path("principal").equals(answer.path("actor")),
        ENROLMENT,
        "the device is somebody else's");
    demand(
        !time(enrolment, "enrolled_at").isAfter(answeredAt),
        ENROLMENT,
        "the device was enrolled after its decision");
    if (!checkIssuer(found.get(), answeredAt)) {
      notChecked.add(ENROLMENT);
    }
    return enrolment;
  }

  /** Returns whether the issuer's signature could be checked. */
  private boolean checkIssuer(JsonNode signed, Instant answeredAt) throws EvidenceException {
    Optional<Instant> signedAt;
    try {
      byte[] statement = CanonicalJson.bytes(signed.path("enrolment"));
      signedAt = IssuerSignature.check(signed.path("signature"), statement, issuers);
    } catch (HarpException e) {
      throw new EvidenceException(ENROLMENT, e.getMessage());
    }
    if (signedAt.isEmpty()) {
      return false;
    }
    demand(
        signedAt.get().getEpochSecond() <= answeredAt.getEpochSecond(),
        ENROLMENT,
        "it was signed after the decision");
    return true;
  }

  private static Decision decision(JsonNode answer) throws EvidenceException {
    try {
      if (answer.path("decision") instanceof ObjectNode object) {
        return Decision.of(object);
      }
      throw new EvidenceException(DECISION, "there is no decision");
    } catch (HarpException e) {
      throw new EvidenceException(DECISION, e.getMessage());
    }
  }

  private static VerificationKey key(JsonNode enrolment) throws EvidenceException {
    Optional<byte[]> bytes = Base64Url.decode(enrolment.path("signing_key").asText());
    try {
      return VerificationKey.of(bytes.orElse(new byte[0]), KeyValidity.UNBOUNDED);
    } catch (IllegalArgumentException e) {
      throw new EvidenceException(ENROLMENT, "the device has no key that may be used");
    }
  }

  private void checkContent(Decision decision, JsonNode answer, Instant answeredAt)
      throws EvidenceException {
    String workspace = bundle.receipt().path("identifiers").path("workspace_ref").asText();
    demand(
        (decision.answer() == Answer.ALLOW) == answer.path("approved").asBoolean(),
        DECISION,
        "it says the opposite of what was counted");
    demand(
        decision.subject().repoRef().equals("bridle:workspace/" + workspace),
        DECISION,
        "it is about another place");
    demand(
        !answeredAt.isAfter(decision.expiresAt().plus(DecisionRule.SKEW)),
        DECISION,
        "it had expired");
    demand(
        !answeredAt.isBefore(time(answer, "asked_at"))
            && answeredAt.isBefore(time(answer, "asked_until")),
        DECISION,
        "it was counted outside of the time to decide");
    demand(
        requests.add(decision.subject().requestId())
            && nonces.add(decision.signerKeyId() + '\0' + decision.nonce()),
        DECISION,
        "the same decision counts for two approvals");
  }

  /** A wider decision lets other actions pass later; this approval is used once all the same. */
  private static void checkScope(Decision decision, JsonNode approval) throws EvidenceException {
    demand(
        decision.scope() != Scope.SESSION
            || decision.sessionId().equals(Optional.of(approval.path("session_id").asText())),
        DECISION,
        "it is for another session");
  }

  private void checkRevocation(JsonNode answer, Instant answeredAt) throws EvidenceException {
    OptionalLong revoked = bundle.revokedAt(answer.path("approval_device_id").asText());
    demand(
        revoked.isEmpty() || revoked.getAsLong() >= answeredAt.getEpochSecond(),
        REVOCATION,
        "the device was revoked before its decision");
  }

  private void checkReason(Decision decision, Set<EvidenceCheck> notChecked)
      throws EvidenceException {
    Optional<String> signed = decision.reasonCommitment();
    Optional<GivenReason> given = bundle.reason(decision.subject().requestId());
    if (signed.isPresent() && given.isEmpty()) {
      notChecked.add(REASON);
    } else {
      demand(
          signed.equals(given.flatMap(GivenReason::commitment)),
          REASON,
          "another reason was signed, or none");
    }
  }

  private static void checkArtifact(
      ArtifactSummary shown, Decision decision, JsonNode answer, JsonNode approval)
      throws EvidenceException {
    demand(
        shown.hash().equals(decision.subject().artifactHash()),
        ARTIFACT,
        "something else was shown than what was signed");
    demand(
        shown.repoRef().equals(decision.subject().repoRef())
            && shown.createdAt().equals(whole(time(answer, "asked_at")))
            && shown.expiresAt().equals(whole(time(answer, "asked_until"))),
        ARTIFACT,
        "it was shown for another place or time");
    demand(
        shown.about().permissionRequest().equals(approval.path("id").asText())
            && shown.about().task().equals(approval.path("task_id").asText())
            && shown.about().session().equals(approval.path("session_id").asText())
            && shown.about().kind().equals(approval.path("action").asText()),
        ARTIFACT,
        "it was shown for another approval");
    demand(
        decision.option().map(shown.question().options()::contains).orElse(true),
        ARTIFACT,
        "the option that was signed was not shown");
  }

  private static Instant whole(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS);
  }

  private static Instant time(JsonNode of, String member) throws EvidenceException {
    String text = of.path(member).asText();
    demand(
        Rfc3339.epochSecond(text).isPresent() && text.endsWith("Z"),
        EvidenceCheck.EVIDENCE,
        "`" + member + "` is no time in UTC");
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new EvidenceException(EvidenceCheck.EVIDENCE, "`" + member + "` is no time in UTC");
    }
  }
}

package dev.bridle.harp.evidence;

import static dev.bridle.harp.evidence.EvidenceCheck.ARTIFACT;
import static dev.bridle.harp.evidence.EvidenceCheck.EVIDENCE;
import static dev.bridle.harp.evidence.EvidenceCheck.LOG;
import static dev.bridle.harp.evidence.EvidenceCheck.REASON;
import static dev.bridle.harp.evidence.EvidenceCheck.REVOCATION;
import static dev.bridle.harp.evidence.EvidenceException.demand;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.GivenReason;
import dev.bridle.proof.bundle.BundleLine;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.key.KeySet;
import dev.bridle.proof.schema.Rfc3339;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a bundle has beside a receipt, line by line in any order. Contents that were shown are
 * checked as they come, and kept in short only. Not thread-safe.
 */
public final class EvidenceBundle {
  /** The most bytes of a line: the largest artifact, and what may be around it. */
  public static final int MAX_LINE_BYTES = 4 << 20;

  /** The most bytes of the evidence of all approvals, which is kept to the end. */
  public static final int MAX_BYTES = 64 << 20;

  /** The most devices that one receipt's approvals have asked. */
  private static final int MOST = 200 * 32;

  private final JsonNode receipt;
  private final KeySet issuers;
  private final ArtifactSummary.Place place;
  private final Set<String> approvals = new HashSet<>();

  /** As they came: as trees they take many times as much. */
  private final Map<String, byte[]> evidence = new HashMap<>();

  private long bytes;
  private final Map<String, ArtifactSummary> artifacts = new HashMap<>();
  private final Map<String, SignedAction> actions = new HashMap<>();
  private final Map<String, Long> revoked = new HashMap<>();
  private final Map<String, GivenReason> reasons = new HashMap<>();
  private final TaskLog log = new TaskLog();

  /**
   * Begins the bundle of a receipt, which its caller has verified.
   *
   * @param issuers the keys that are trusted as issuers
   */
  public EvidenceBundle(ObjectNode receipt, KeySet issuers) {
    this.receipt = receipt;
    this.issuers = issuers;
    JsonNode ids = receipt.path("identifiers");
    this.place =
        new ArtifactSummary.Place(
            ids.path("workspace_ref").asText(),
            ids.path("session_id").asText(),
            withoutVersion(ids.path("persona_ref").asText()));
    receipt
        .path("approvals")
        .forEach(approval -> approvals.add(approval.path("approval_id").asText()));
  }

  private static String withoutVersion(String persona) {
    int at = persona.indexOf('@');
    return at < 0 ? persona : persona.substring(0, at);
  }

  /**
   * Adds a line. Lines of other kinds are left out.
   *
   * @throws EvidenceException if it can't be read, is there twice, or its content is not what its
   *     hash is of
   */
  public void add(BundleLine line) throws EvidenceException {
    switch (line.kind()) {
      case EVIDENCE -> {
        ObjectNode document = parse(line, EVIDENCE);
        String id = document.path("approval").path("id").asText();
        demand(
            approvals.contains(id),
            EVIDENCE,
            "evidence of an approval that the receipt does not have");
        byte[] content = line.content();
        bytes += content.length;
        demand(bytes <= MAX_BYTES, EVIDENCE, "more than " + (MAX_BYTES >> 20) + " MiB of it");
        demand(evidence.put(id, content) == null, EVIDENCE, "evidence of an approval twice");
      }
      case ARTIFACT -> {
        demand(artifacts.size() < MOST, ARTIFACT, "more artifacts than approvals can have");
        ObjectNode artifact = parse(line, ARTIFACT);
        ArtifactSummary one = ArtifactSummary.of(artifact, place, issuers);
        demand(artifacts.put(one.requestId(), one) == null, ARTIFACT, "an artifact twice");
        actions.put(one.requestId(), SignedAction.of(artifact));
      }
      case REVOCATION -> {
        ObjectNode revocation = parse(line, REVOCATION);
        OptionalLong at = Rfc3339.epochSecond(revocation.path("revoked_at").asText());
        demand(at.isPresent(), REVOCATION, "a revocation without a time");
        demand(revoked.size() < MOST, REVOCATION, "more revocations than devices can have");
        revoked.put(revocation.path("approval_device_id").asText(), at.getAsLong());
      }
      case REASON -> {
        ObjectNode given = parse(line, REASON);
        demand(reasons.size() < MOST, REASON, "more reasons than approvals can have");
        demand(
            reasons.put(given.path("request_id").asText(), reason(given)) == null,
            REASON,
            "two reasons for a decision");
      }
      case EVENT -> log.add(parse(line, LOG));
      default -> {
        // What its reader verifies by itself.
      }
    }
  }

  private static GivenReason reason(ObjectNode given) throws EvidenceException {
    String text = given.path("reason").asText();
    Optional<GivenReason.Salt> salt = GivenReason.Salt.of(given.path("salt").asText());
    demand(
        given.size() == 3
            && given.path("request_id").isTextual()
            && given.path("reason").isTextual()
            && salt.isPresent()
            && !text.isEmpty()
            && text.length() <= GivenReason.MAX_CHARS,
        REASON,
        "no `request_id`, `reason` and `salt` of a reason");
    return new GivenReason(text, salt);
  }

  private static ObjectNode parse(BundleLine line, EvidenceCheck check) throws EvidenceException {
    return parse(line.content(), check);
  }

  private static ObjectNode parse(byte[] content, EvidenceCheck check) throws EvidenceException {
    try {
      if (StrictJson.parse(content, MAX_LINE_BYTES) instanceof ObjectNode object) {
        return object;
      }
    } catch (InvalidJsonException e) {
      throw new EvidenceException(check, e.getMessage());
    }
    throw new EvidenceException(check, "no JSON object");
  }

  KeySet issuers() {
    return issuers;
  }

  JsonNode receipt() {
    return receipt;
  }

  Optional<ObjectNode> evidence(String approval) {
    byte[] document = evidence.get(approval);
    try {
      return document == null ? Optional.empty() : Optional.of(parse(document, EVIDENCE));
    } catch (EvidenceException e) {
      throw new IllegalStateException("it was parsed when it came", e);
    }
  }

  Optional<ArtifactSummary> artifact(String requestId) {
    return Optional.ofNullable(artifacts.get(requestId));
  }

  Optional<SignedAction> action(String requestId) {
    return Optional.ofNullable(actions.get(requestId));
  }

  Optional<GivenReason> reason(String requestId) {
    return Optional.ofNullable(reasons.get(requestId));
  }

  OptionalLong revokedAt(String device) {
    Long at = revoked.get(device);
    return at == null ? OptionalLong.empty() : OptionalLong.of(at);
  }

  TaskLog log() {
    return log;
  }

  /** Checks that there is no artifact and no reason of other requests. */
  void checkRequests(Collection<String> requests) throws EvidenceException {
    demand(
        requests.containsAll(artifacts.keySet()),
        ARTIFACT,
        "an artifact that nobody has decided about");
    demand(
        requests.containsAll(reasons.keySet()),
        REASON,
        "a reason for what nobody has decided about");
  }
}

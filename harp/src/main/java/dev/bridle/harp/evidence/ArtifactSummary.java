package dev.bridle.harp.evidence;

import static dev.bridle.harp.evidence.EvidenceCheck.ARTIFACT;
import static dev.bridle.harp.evidence.EvidenceCheck.ISSUER;
import static dev.bridle.harp.evidence.EvidenceException.demand;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.harp.core.Artifact;
import dev.bridle.harp.core.IssuerSignature;
import dev.bridle.harp.error.HarpException;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.key.KeySet;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The artifact that an approver was shown, without its content, which may be large.
 *
 * @param hash the hash of the artifact, computed from its content
 * @param about the ids that its payload names
 * @param fingerprint the hash of the action and its place, computed from the content
 * @param question what it says of the action beside the content
 * @param issue whether a server has signed it
 */
record ArtifactSummary(
    String requestId,
    String hash,
    String repoRef,
    Instant createdAt,
    Instant expiresAt,
    About about,
    String fingerprint,
    Question question,
    Issue issue) {
  /** The second shows what the agent says, its options, and whether the action is known exactly. */
  private static final Set<String> FORMATS = Set.of("bridle-permission-1", "bridle-permission-2");

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** Whether a server has signed an artifact. */
  enum Issue {
    /** It does not say so. */
    NONE,
    /** By a key that is not known. */
    UNKNOWN_KEY,
    /** By a key that is. */
    SIGNED
  }

  /** The ids of an artifact's payload. */
  record About(String permissionRequest, String task, String session, String kind) {}

  /**
   * What it says of the action beside the content.
   *
   * @param isExact whether the action was known exactly
   * @param options the ids of the options that were shown
   */
  record Question(boolean isExact, Set<String> options) {
    static Question of(ObjectNode payload) {
      Set<String> options = new LinkedHashSet<>();
      payload.path("options").forEach(option -> options.add(option.path("id").asText()));
      return new Question(!payload.has("notExact"), options);
    }
  }

  /** Where a task works, which its fingerprints name. */
  record Place(String workspace, String session, String persona) {}

  static ArtifactSummary of(ObjectNode json, Place place, KeySet issuers) throws EvidenceException {
    Artifact artifact;
    try {
      artifact = Artifact.of(json);
      artifact.verifyHash();
    } catch (HarpException e) {
      throw new EvidenceException(ARTIFACT, e.getMessage());
    }
    ObjectNode payload = artifact.payload();
    demand(FORMATS.contains(text(payload, "format")), ARTIFACT, "its payload has another format");
    String fingerprint = fingerprint(payload, place);
    demand(
        fingerprint.equals(text(payload, "fingerprint")),
        ARTIFACT,
        "the fingerprint is not that of the content that was shown, and its place");
    return new ArtifactSummary(
        artifact.requestId(),
        artifact.hash(),
        artifact.repoRef(),
        artifact.createdAt(),
        artifact.expiresAt(),
        new About(
            text(payload, "permissionRequestId"),
            text(payload, "taskId"),
            text(payload, "sessionId"),
            text(payload, "kind")),
        fingerprint,
        Question.of(payload),
        issue(artifact, issuers));
  }

  private static Issue issue(Artifact artifact, KeySet issuers) throws EvidenceException {
    if (!IssuerSignature.isOn(artifact)) {
      return Issue.NONE;
    }
    try {
      return IssuerSignature.verify(artifact, issuers).isPresent()
          ? Issue.SIGNED
          : Issue.UNKNOWN_KEY;
    } catch (HarpException e) {
      throw new EvidenceException(ISSUER, e.getMessage());
    }
  }

  /**
   * Returns the hash of the canonical JSON of the action and its place. The content is put in as it
   * was shown: it is canonical already, and may have numbers that other libraries round.
   */
  private static String fingerprint(ObjectNode payload, Place place) throws EvidenceException {
    String content = text(payload, "content");
    demand(isJson(content), ARTIFACT, "its content is no JSON");
    ObjectNode rest = JsonNodeFactory.instance.objectNode();
    if (payload.path("editedFiles").size() > 0) {
      rest.set("edited_files", payload.get("editedFiles"));
    }
    put(rest, "kind", text(payload, "kind"));
    put(rest, "persona", place.persona());
    put(rest, "session", place.session());
    put(rest, "tool", text(payload, "tool"));
    put(rest, "workspace", place.workspace());
    String members = new String(CanonicalJson.bytes(rest), UTF_8).substring(1);
    return Sha256.of(("{\"content\":" + content + "," + members).getBytes(UTF_8)).toString();
  }

  private static void put(ObjectNode to, String name, String value) {
    if (!value.isEmpty()) {
      to.put(name, value);
    }
  }

  private static boolean isJson(String text) {
    try {
      JsonNode read = MAPPER.readTree(text);
      return !read.isMissingNode();
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  private static String text(ObjectNode payload, String name) {
    return payload.path(name).asText();
  }
}

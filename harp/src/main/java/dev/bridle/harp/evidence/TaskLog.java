package dev.bridle.harp.evidence;

import static dev.bridle.harp.evidence.EvidenceCheck.EXECUTED;
import static dev.bridle.harp.evidence.EvidenceCheck.LOG;
import static dev.bridle.harp.evidence.EvidenceException.demand;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.RunningSha256;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The lines of a task's log, of which a receipt has the digest: those that say what became of
 * approvals.
 */
final class TaskLog {
  /** The kind of event that says that an approval was used. */
  private static final String USED = "vendor.bridle.permission_used";

  /** The kind that says that the agent had changed the action before it got the answer. */
  private static final String CHANGED = "vendor.bridle.permission_changed";

  /** The kind that says that the agent has acted otherwise than was approved. */
  private static final String ACTED_DIFFERENTLY = "vendor.bridle.acted_differently";

  private static final Set<String> READ = Set.of(USED, CHANGED, ACTED_DIFFERENTLY);

  private static final int MOST_USES = 100_000;

  private final RunningSha256 lines = new RunningSha256();
  private final List<Use> uses = new ArrayList<>();
  private final Set<String> changed = new HashSet<>();
  private final Set<String> different = new HashSet<>();
  private long events;
  private boolean isWhole = true;

  /**
   * The use of an approval.
   *
   * @param approval the permission request, or empty for a standing grant
   * @param grant the standing grant, or empty
   */
  record Use(String approval, String grant, String fingerprint) {
    /** Returns the id by which receipts name what has allowed it. */
    String allowedBy() {
      return approval.isEmpty() ? grant : approval;
    }
  }

  void add(ObjectNode event) throws EvidenceException {
    JsonNode payload = event.path("payload");
    JsonNode salt = event.path("salt");
    ObjectNode line = event.deepCopy();
    line.remove(List.of("payload", "salt"));
    lines.addLine(CanonicalJson.bytes(line));
    events++;
    String kind = event.path("event").asText();
    if (!READ.contains(kind)) {
      return;
    }
    if (!payload.isTextual() || !salt.isTextual()) {
      isWhole = false;
      return;
    }
    demand(
        Sha256.of(salt(salt.textValue()), new byte[1], payload.textValue().getBytes(UTF_8))
            .toString()
            .equals(event.path("commitment").asText()),
        EXECUTED,
        "the payload of an event is not the one that its commitment is of");
    demand(
        uses.size() + changed.size() + different.size() < MOST_USES,
        EXECUTED,
        "the log has too many uses");
    Use use = use(payload.textValue());
    if (kind.equals(USED)) {
      uses.add(use);
    } else {
      (kind.equals(CHANGED) ? changed : different).add(use.allowedBy());
    }
  }

  private static byte[] salt(String hex) throws EvidenceException {
    try {
      return HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw new EvidenceException(EXECUTED, "the salt of an event is not hexadecimal");
    }
  }

  private static Use use(String payload) throws EvidenceException {
    try {
      JsonNode said = StrictJson.parse(payload.getBytes(UTF_8));
      return new Use(
          said.path("permission_request_id").asText(),
          said.path("grant_id").asText(),
          said.path("fingerprint").asText());
    } catch (InvalidJsonException e) {
      throw new EvidenceException(EXECUTED, "the payload of an event is no JSON");
    }
  }

  /** Returns whether there are lines at all. */
  boolean isGiven() {
    return events > 0;
  }

  /** Returns whether the payload of each use is there: redaction erases them. */
  boolean isWhole() {
    return isWhole;
  }

  /** Checks that the lines are those of the receipt, all of them. */
  void check(JsonNode receipt) throws EvidenceException {
    JsonNode stated = receipt.path("metadata").path("bridle.log");
    demand(
        stated.path("events").asLong() == events
            && stated.path("sha256").asText().equals(lines.soFar().toString()),
        LOG,
        "the receipt has the digest of other lines");
  }

  /** Returns the uses of an approval. */
  List<Use> of(String approval) {
    return uses.stream().filter(use -> use.approval().equals(approval)).toList();
  }

  /** Returns whether the agent had changed the action before it got the answer. */
  boolean hasChanged(String approval) {
    return changed.contains(approval);
  }

  /** Returns whether the agent has acted otherwise than was approved. */
  boolean isDifferent(String approval) {
    return different.contains(approval);
  }
}

package dev.bridle.harp.evidence;

import static dev.bridle.harp.evidence.EvidenceCheck.QUORUM;
import static dev.bridle.harp.evidence.EvidenceException.demand;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Who has answered, and whether that is what was required.
 *
 * @param approval what the receipt says
 * @param evidence the evidence
 * @param signers whose devices have signed
 * @param attested who has answered by a credential
 */
record Quorum(JsonNode approval, ObjectNode evidence, List<String> signers, List<String> attested) {

  static Quorum of(JsonNode approval, ObjectNode evidence) {
    return new Quorum(
        approval, evidence, actors(evidence.path("decisions")), actors(evidence.path("unsigned")));
  }

  private static List<String> actors(JsonNode answers) {
    List<String> actors = new ArrayList<>();
    answers.forEach(answer -> actors.add(answer.path("actor").asText()));
    return actors;
  }

  void check() throws EvidenceException {
    JsonNode stated = approval.path("quorum_proof");
    JsonNode rule = evidence.path("quorum");
    List<JsonNode> answers = new ArrayList<>();
    evidence.path("decisions").forEach(answers::add);
    evidence.path("unsigned").forEach(answers::add);
    List<String> all = new ArrayList<>(signers);
    all.addAll(attested);
    demand(new HashSet<>(all).size() == all.size(), QUORUM, "somebody counts twice");
    demand(!signers.isEmpty(), QUORUM, "nobody has signed");
    List<String> named = new ArrayList<>();
    stated.path("actors").forEach(actor -> named.add(actor.asText()));
    demand(new HashSet<>(named).equals(new HashSet<>(all)), QUORUM, "others have answered");
    long approved = answers.stream().filter(Quorum::approves).count();
    demand(
        stated.path("approved").asLong() == approved
            && stated.path("denied").asLong() == answers.size() - approved,
        QUORUM,
        "the receipt counts other answers");
    demand(
        rule.path("required").asLong() == stated.path("required").asLong()
            && rule.path("required").asLong() >= 1,
        QUORUM,
        "the receipt requires another number of approvals");
    demand(
        rule.path("rule_hash").asText().equals(stated.path("rule_hash").asText()),
        QUORUM,
        "the receipt has the hash of another rule");
    checkRule(rule.path("rule"), rule.path("rule_hash").asText(), answers);
    boolean isApproved = approval.path("decision").asText().equals("approved");
    demand(
        isApproved ? approved >= rule.path("required").asLong() : approved < answers.size(),
        QUORUM,
        isApproved ? "too few have approved" : "nobody has denied it");
    demand(
        stated.path("attested_by").asText().equals(attested.isEmpty() ? "devices" : "harness"),
        QUORUM,
        "the receipt says otherwise who vouches for the answers");
  }

  private void checkRule(JsonNode rule, String hash, List<JsonNode> answers)
      throws EvidenceException {
    if (hash.isEmpty() && rule.isMissingNode()) {
      return;
    }
    demand(
        rule.isObject() && Sha256.of(CanonicalJson.bytes(rule)).toString().equals(hash),
        QUORUM,
        "the rule is not the one that its hash is of");
    for (JsonNode needed : rule.path("roles")) {
      long have =
          answers.stream()
              .filter(Quorum::approves)
              .filter(answer -> has(answer.path("roles"), needed.path("role").asText()))
              .count();
      boolean enough =
          have >= needed.path("count").asLong()
              || !approval.path("decision").asText().equals("approved");
      demand(enough, QUORUM, "too few of a role have approved");
    }
    JsonNode channels = rule.path("channels");
    for (JsonNode answer : answers) {
      String channel = answer.path("channel").asText("harp");
      demand(
          channels.isEmpty() || has(channels, channel),
          QUORUM,
          "an answer came by a channel that the rule does not take");
    }
  }

  private static boolean approves(JsonNode answer) {
    return answer.path("approved").asBoolean();
  }

  private static boolean has(JsonNode list, String text) {
    for (JsonNode one : list) {
      if (one.asText().equals(text)) {
        return true;
      }
    }
    return false;
  }
}

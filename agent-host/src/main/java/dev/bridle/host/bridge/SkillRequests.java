package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The requests of a runtime about the host's skills. */
final class SkillRequests {
  private static final int MOST_ID = 256;
  private static final int MOST_PROMPT = 1 << 20;
  private static final int MOST_FILES = 10_000;
  private static final int MOST_CANDIDATES = 10_000;

  private final Skills skills;
  private final SkillTexts texts;

  /** The state of the skills that the runtime has listed; empty if it has not. */
  private volatile Optional<String> listed = Optional.empty();

  SkillRequests(Skills skills) {
    this.skills = skills;
    this.texts = new SkillTexts(skills);
  }

  /** Returns whether skills have changed since the runtime has listed them, once. */
  boolean haveChanged() {
    Optional<String> before = listed;
    if (before.isEmpty()) {
      return false;
    }
    Optional<String> now = skills.state();
    if (now.isEmpty() || now.equals(before)) {
      return false;
    }
    listed = now;
    return true;
  }

  ArrayNode list() {
    listed = skills.state();
    ArrayNode answer = JsonNodeFactory.instance.arrayNode();
    skills.list().forEach(skill -> answer.add(skill.reference()));
    return answer;
  }

  ObjectNode fetch(JsonNode params) throws BadRequest {
    String id = BadRequest.text(params, "id", MOST_ID);
    return skills
        .fetch(id)
        .map(SkillManifest::whole)
        .orElseThrow(() -> new BadRequest("The host has no skill '" + id + "'"));
  }

  ObjectNode match(JsonNode params) throws BadRequest {
    if (!Set.of("host", "embedding").contains(params.path("strategy").asText("host"))) {
      throw new BadRequest(
          "strategy must be 'host' or 'embedding'; the runtime serves others itself");
    }
    JsonNode given = params.path("candidates");
    if (given.size() > MOST_CANDIDATES) {
      throw new BadRequest("candidates must have at most " + MOST_CANDIDATES + " elements");
    }
    List<SkillMatcher.Candidate> candidates = new ArrayList<>();
    for (JsonNode each : given) {
      candidates.add(
          new SkillMatcher.Candidate(
              BadRequest.text(each, "name", MOST_ID),
              each.path("description").asText(""),
              each.path("when_to_use").asText(""),
              BadRequest.texts(each, "paths", MOST_FILES)));
    }
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode matches = answer.putArray("matches");
    String prompt = BadRequest.text(params, "prompt", MOST_PROMPT);
    List<String> files = BadRequest.texts(params, "working_files", MOST_FILES);
    Map<String, String> known =
        texts.of(candidates.stream().map(SkillMatcher.Candidate::name).toList());
    SkillMatcher.match(prompt, files, candidates, known)
        .forEach(
            match ->
                matches
                    .addObject()
                    .put("name", match.name())
                    .put("score", match.score())
                    .put("reason", match.reason()));
    return answer;
  }
}

package dev.bridle.host.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.host.bridge.SkillManifest;
import dev.bridle.host.bridge.Skills;
import dev.bridle.skill.v1.Skill;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The skills of the core's registry, as a runtime reads them. */
final class CoreSkills implements Skills {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final CoreReads reads;

  CoreSkills(CoreReads reads) {
    this.reads = reads;
  }

  @Override
  public List<SkillManifest> list() {
    return reads.skills().stream()
        .filter(skill -> !skill.getDeprecated())
        .map(CoreSkills::manifest)
        .toList();
  }

  @Override
  public Optional<SkillManifest> fetch(String id) {
    try {
      return Optional.of(manifest(reads.skill(id)));
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public Map<String, String> ids() {
    try {
      return Skills.super.ids();
    } catch (StatusRuntimeException e) {
      return Map.of();
    }
  }

  @Override
  public Optional<String> state() {
    try {
      return Optional.of(
          reads.skills().stream()
              .map(
                  skill ->
                      skill.getId()
                          + "@"
                          + skill.getUpdatedAt().getSeconds()
                          + "."
                          + skill.getUpdatedAt().getNanos())
              .collect(Collectors.joining(",")));
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }

  private static SkillManifest manifest(Skill skill) {
    return new SkillManifest(
        skill.getId(),
        skill.getName(),
        skill.getDescription(),
        skill.getBody(),
        object(skill.getManifest()));
  }

  private static ObjectNode object(ByteString json) {
    try {
      JsonNode read =
          json.isEmpty() ? MAPPER.createObjectNode() : MAPPER.readTree(json.toByteArray());
      return read instanceof ObjectNode object ? object : MAPPER.createObjectNode();
    } catch (IOException e) {
      throw new IllegalStateException("the core stores JSON only", e);
    }
  }
}

package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The personas that a session's prompts may run as, which ACP calls modes.
 *
 * @param all what may be chosen
 * @param persona the session's own persona
 */
record Modes(List<Mode> all, Optional<String> persona) {
  /** The mode of a session that has no persona, and of tasks that name none. */
  static final String NONE = "default";

  /** Copies. */
  Modes {
    all = List.copyOf(all);
  }

  /**
   * What may be chosen.
   *
   * @param id the persona's id
   * @param name for people
   */
  record Mode(String id, String name, String description) {}

  /** Returns the modes of a session: no persona, unless it has one, and all that are visible. */
  static Modes of(List<JsonNode> personas, Optional<String> persona) {
    List<Mode> all = new ArrayList<>();
    if (persona.isEmpty()) {
      all.add(new Mode(NONE, "Default", "Without a persona"));
    }
    for (JsonNode each : personas) {
      all.add(
          new Mode(
              each.path("id").asText(),
              each.path("name").asText(),
              each.path("description").asText()));
    }
    if (persona.isPresent() && all.stream().noneMatch(mode -> mode.id().equals(persona.get()))) {
      all.add(new Mode(persona.get(), persona.get(), "The session's persona"));
    }
    return new Modes(all, persona);
  }

  /** Returns the mode in which a session begins. */
  String first() {
    return persona.orElse(NONE);
  }

  boolean has(String mode) {
    return all.stream().anyMatch(each -> each.id().equals(mode));
  }

  /** Returns the persona that a task in a mode names; empty where it is the session's own. */
  Optional<String> named(String mode) {
    return mode.equals(first()) || mode.equals(NONE) ? Optional.empty() : Optional.of(mode);
  }

  /** Returns the modes as ACP has them. */
  ObjectNode json(String current) {
    ObjectNode json = JsonLines.object().put("currentModeId", current);
    ArrayNode available = json.putArray("availableModes");
    for (Mode mode : all) {
      available
          .addObject()
          .put("id", mode.id())
          .put("name", mode.name())
          .put("description", mode.description());
    }
    return json;
  }
}

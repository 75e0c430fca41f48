package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.acp.OfferedSettings;
import java.util.ArrayList;
import java.util.List;

/** The logins, modes and options that an agent offers, as JSON and as lines. */
final class ShownOffers {
  private ShownOffers() {}

  static void addLogins(ObjectNode found, List<Initialized.AuthMethod> methods) {
    ArrayNode all = found.putArray("logins");
    for (Initialized.AuthMethod method : methods) {
      all.addObject()
          .put("id", method.id())
          .put("name", method.name())
          .put("description", method.description());
    }
  }

  static void addSettings(ObjectNode found, OfferedSettings offered) {
    ArrayNode modes = found.putArray("modes");
    for (OfferedSettings.Value mode : offered.modes()) {
      value(modes.addObject(), mode).put("current", mode.id().equals(offered.mode()));
    }
    ArrayNode options = found.putArray("options");
    for (OfferedSettings.Option option : offered.options()) {
      ObjectNode shown =
          options
              .addObject()
              .put("id", option.id())
              .put("name", option.name())
              .put("type", option.type())
              .put("current", option.current());
      ArrayNode values = shown.putArray("values");
      option.values().forEach(each -> value(values.addObject(), each));
    }
  }

  private static ObjectNode value(ObjectNode into, OfferedSettings.Value value) {
    return into.put("id", value.id()).put("name", value.name());
  }

  /** Returns an element of one of the lists in words. */
  static String line(JsonNode offer) {
    StringBuilder line = new StringBuilder(named(offer));
    if (offer.path("description").isTextual() && !offer.path("description").asText().isBlank()) {
      line.append(": ").append(offer.path("description").asText());
    }
    if (offer.path("current").isBoolean() && offer.path("current").asBoolean()) {
      line.append(", current");
    } else if (offer.path("current").isTextual()) {
      line.append(", current: ").append(offer.path("current").asText());
    }
    List<String> values = new ArrayList<>();
    offer.path("values").forEach(value -> values.add(value.path("id").asText()));
    if (!values.isEmpty()) {
      line.append(", one of: ").append(String.join(", ", values));
    } else if (offer.path("type").asText().equals("boolean")) {
      line.append(", true or false");
    }
    return line.toString();
  }

  private static String named(JsonNode offer) {
    String name = offer.path("name").asText();
    return offer.path("id").asText() + (name.isBlank() ? "" : " (" + name + ")");
  }
}

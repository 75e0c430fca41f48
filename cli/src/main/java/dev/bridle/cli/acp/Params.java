package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.util.Optional;

/** The parameters of a request, read with errors that say what was expected. */
record Params(JsonNode json) {
  /**
   * Reads them.
   *
   * @throws AcpRefusal if they are no object
   */
  static Params of(RawJson raw) {
    try {
      JsonNode json = raw.json();
      if (!json.isObject()) {
        throw AcpRefusal.badParams("params must be an object");
      }
      return new Params(json);
    } catch (BadJson e) {
      throw AcpRefusal.badParams("params can't be read: " + e.getMessage());
    }
  }

  /** Returns a member that must be a text with something in it. */
  String text(String name) {
    return optional(name)
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> AcpRefusal.badParams(name + " is missing, expected a string"));
  }

  /** Returns a member that may be missing or null, and is a text otherwise. */
  Optional<String> optional(String name) {
    JsonNode value = json.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw AcpRefusal.badParams(name + " must be a string");
    }
    return Optional.of(value.textValue());
  }

  /** Returns a list, which is empty where it is missing or null. */
  JsonNode list(String name) {
    JsonNode value = json.path(name);
    if (!value.isMissingNode() && !value.isNull() && !value.isArray()) {
      throw AcpRefusal.badParams(name + " must be an array");
    }
    return value;
  }

  /** Returns the session that the request is about. */
  String session() {
    return text("sessionId");
  }
}

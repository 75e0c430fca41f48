package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.List;

/** The parameters of a request are not what the method takes. */
final class BadRequest extends Exception {
  private static final long serialVersionUID = 1;

  BadRequest(String message) {
    super(message);
  }

  /** Returns the parameters; none are as good as an empty object. */
  static JsonNode object(RawJson params) throws BadRequest {
    try {
      JsonNode json = params.isPresent() ? params.json() : JsonNodeFactory.instance.objectNode();
      if (!json.isObject() && !json.isNull()) {
        throw new BadRequest("params must be an object");
      }
      return json;
    } catch (BadJson e) {
      throw new BadRequest("params are not JSON: " + e.getMessage());
    }
  }

  /** As {@link #object}, for a notification: what is malformed is as if it were not there. */
  static JsonNode lenient(RawJson params) {
    try {
      return object(params);
    } catch (BadRequest e) {
      return JsonNodeFactory.instance.objectNode();
    }
  }

  /** Returns a member that must be a text within a length. */
  static String text(JsonNode object, String name, int longest) throws BadRequest {
    JsonNode found = object.path(name);
    if (!found.isTextual() || found.textValue().isEmpty()) {
      throw new BadRequest(name + " must be a text that is not empty");
    }
    if (found.textValue().length() > longest) {
      throw new BadRequest(name + " must have at most " + longest + " characters");
    }
    return found.textValue();
  }

  /** Returns a member that is a list of texts; missing is empty. */
  static List<String> texts(JsonNode object, String name, int most) throws BadRequest {
    JsonNode found = object.path(name);
    if (!found.isArray() && !found.isMissingNode() && !found.isNull()) {
      throw new BadRequest(name + " must be a list of texts");
    }
    if (found.size() > most) {
      throw new BadRequest(name + " must have at most " + most + " elements");
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode each : found) {
      if (!each.isTextual()) {
        throw new BadRequest(name + " must be a list of texts");
      }
      texts.add(each.textValue());
    }
    return texts;
  }
}

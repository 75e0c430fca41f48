package dev.bridle.host.rpc;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a line of the other side is. */
sealed interface Message {
  /** What is asked, under an id that the answer repeats as it was spelled. */
  record Request(RawJson id, String method, RawJson params, RawJson whole) implements Message {}

  record Notification(String method, RawJson params, RawJson whole) implements Message {}

  /**
   * The result or the error of a call of ours; one of the two is absent. Our ids are whole numbers,
   * so another id is none.
   */
  record Answer(Optional<Long> id, RawJson result, RawJson error) implements Message {}

  /**
   * A request that can't be read, or whose id may not be: null, a fraction, an object, or too long.
   *
   * @param id the id that the answer repeats; empty if it has none that may be
   */
  record BadRequest(Optional<RawJson> id, String why) implements Message {}

  /** An action of this side that waits its turn among what arrives. */
  record Turn(Runnable action) implements Message {}

  /**
   * A line that is not a message.
   *
   * @param isJson whether it is JSON
   */
  record Noise(boolean isJson) implements Message {}

  int MAX_METHOD = 256;
  int MAX_ID_BYTES = 1024;

  static Message of(byte[] line) {
    RawJson whole = RawJson.ofTrusted(line);
    try {
      return of(whole, whole.members());
    } catch (BadJson e) {
      return unread(line);
    }
  }

  /** Whoever asks waits for an answer, also to what can't be read. */
  private static Message unread(byte[] line) {
    Map<String, RawJson> members = new HashMap<>();
    try (JsonParser parser = Json.ANY_NAMES.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return new Noise(false);
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        if (members.put(name, kept(parser)) != null && name.equals("id")) {
          return new Noise(false);
        }
        parser.skipChildren();
      }
      if (parser.nextToken() == null && of(RawJson.absent(), members) instanceof Request request) {
        return new BadRequest(
            Optional.of(request.id()), "An object of the request has a name twice");
      }
    } catch (IOException | BadJson e) {
      // It is no JSON, or too deep.
    }
    return new Noise(false);
  }

  private static Message of(RawJson whole, Map<String, RawJson> members) throws BadJson {
    if (!"2.0".equals(text(members.get("jsonrpc")))) {
      return new Noise(true);
    }
    RawJson id = members.get("id");
    RawJson params = members.getOrDefault("params", RawJson.absent());
    String method = text(members.get("method"));
    if (!method.isEmpty()) {
      if (id == null) {
        return new Notification(method, params, whole);
      }
      return allowed(id)
          ? new Request(id, method, params, whole)
          : new BadRequest(
              Optional.empty(),
              "id must be a string of up to " + MAX_ID_BYTES + " bytes or an integer");
    }
    RawJson result = members.getOrDefault("result", RawJson.absent());
    RawJson error = members.getOrDefault("error", RawJson.absent());
    boolean answer = id != null && (result.isPresent() || error.isPresent());
    return answer ? new Answer(number(id), result, error) : new Noise(true);
  }

  private static boolean allowed(RawJson id) throws BadJson {
    return id.length() <= MAX_ID_BYTES && (id.json().isTextual() || id.json().isIntegralNumber());
  }

  private static Optional<Long> number(RawJson id) throws BadJson {
    JsonNode json = id.length() <= MAX_ID_BYTES ? id.json() : MissingNode.getInstance();
    return json.isIntegralNumber() && json.canConvertToLong()
        ? Optional.of(json.longValue())
        : Optional.empty();
  }

  private static String text(RawJson value) throws BadJson {
    boolean fits = value != null && value.length() <= MAX_METHOD;
    return fits ? value.json().asText("") : "";
  }

  /**
   * What the beginning of a line says that was too long to keep: whom it would have answered, or
   * what it asked, as far as that came before the long part.
   */
  static Optional<Message> ofBeginning(byte[] beginning) {
    Map<String, RawJson> members = new HashMap<>();
    try (JsonParser parser = Json.MAPPER.createParser(beginning)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        members.put(name, kept(parser));
        parser.skipChildren();
      }
    } catch (IOException e) {
      // It ends in the middle, as it must.
    }
    try {
      return Optional.of(of(RawJson.absent(), members));
    } catch (BadJson e) {
      return Optional.empty();
    }
  }

  /** Texts and whole numbers; an empty object stands for what is long. */
  private static RawJson kept(JsonParser parser) throws IOException {
    JsonNodeFactory nodes = Json.MAPPER.getNodeFactory();
    return switch (parser.currentToken()) {
      case VALUE_STRING -> RawJson.of(nodes.textNode(parser.getText()));
      case VALUE_NUMBER_INT -> RawJson.of(nodes.numberNode(parser.getBigIntegerValue()));
      default -> RawJson.of(nodes.objectNode());
    };
  }
}

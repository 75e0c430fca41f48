package dev.bridle.gateway.socket;

import dev.bridle.gateway.error.ProtocolError;
import dev.bridle.gateway.error.ProtocolException;
import dev.bridle.gateway.json.InvalidMemberException;
import dev.bridle.gateway.json.JsonTape;
import dev.bridle.gateway.json.JsonTape.Kind;
import dev.bridle.gateway.json.JsonValue;
import java.util.Optional;

/**
 * One frame that a client has sent: an object with a type. Members that nobody knows are skipped.
 */
final class ClientFrame {

  private static final int MAX_ID = 128;

  private final JsonTape tape;
  private final Optional<String> id;

  private ClientFrame(JsonTape tape) {
    this.tape = tape;
    this.id = text("id");
    if (id.filter(given -> given.length() > MAX_ID).isPresent()) {
      throw refusal("id", "The id is longer than " + MAX_ID + " characters.");
    }
  }

  /**
   * Parses a frame.
   *
   * @throws ProtocolException {@code invalid_request}
   */
  static ClientFrame parse(byte[] json, int maxDepth) {
    JsonTape tape;
    try {
      tape = JsonTape.parse(json, maxDepth);
    } catch (InvalidMemberException e) {
      throw refusal(e.param(), e.getMessage());
    }
    if (tape.kind(0) != Kind.OBJECT) {
      throw refusal(
          "", "The frame must be a JSON object, but is " + tape.kind(0).described() + ".");
    }
    return new ClientFrame(tape);
  }

  /** What the client calls the frame, to know its answer. */
  Optional<String> id() {
    return id;
  }

  /** What the frame asks for. */
  String type() {
    return text("type")
        .orElseThrow(() -> refusal("type", "The member is missing; expected the frame's type."));
  }

  /** A member that is a string. */
  Optional<String> text(String name) {
    int node = tape.member(0, name);
    if (node < 0 || tape.kind(node) == Kind.NULL) {
      return Optional.empty();
    }
    if (tape.kind(node) != Kind.STRING) {
      throw refusal(
          name, "The value must be a string, but is " + tape.kind(node).described() + ".");
    }
    return Optional.of(tape.string(node));
  }

  /** What a REST request would have as its body. */
  Optional<JsonValue> body() {
    int node = tape.member(0, "body");
    return node < 0 ? Optional.empty() : Optional.of(new JsonValue(tape, node));
  }

  static ProtocolException refusal(String param, String message) {
    return new ProtocolException(ProtocolError.invalid(param, message));
  }
}

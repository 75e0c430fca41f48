package dev.bridle.gateway.socket;

import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.json.InvalidMemberException;
import dev.bridle.gateway.kit.json.JsonTape;
import dev.bridle.gateway.kit.json.JsonTape.Kind;
import dev.bridle.gateway.kit.json.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One frame of a client: an object with a type, and members that are known by that. */
final class ClientFrame {

  private static final int MAX_ID = 128;

  /** The most unknown members that are named. */
  private static final int MAX_NAMED = 32;

  /** The members of each frame. */
  private static final Set<String> OF_ALL = Set.of("type", "id");

  private final JsonTape tape;
  private final Optional<String> id;

  private ClientFrame(JsonTape tape) {
    this.tape = tape;
    this.id = text("id");
    if (id.filter(given -> given.length() > MAX_ID).isPresent()) {
      throw invalid("id", "The id is longer than " + MAX_ID + " characters.");
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
      throw invalid(e.param(), e.getMessage());
    }
    if (tape.kind(0) != Kind.OBJECT) {
      throw invalid(
          "", "The frame must be a JSON object, but is " + tape.kind(0).described() + ".");
    }
    return new ClientFrame(tape);
  }

  /** Returns the client's id of the frame, which its reply repeats. */
  Optional<String> id() {
    return id;
  }

  /** Returns the type of the frame. */
  String type() {
    return text("type")
        .orElseThrow(() -> invalid("type", "The member is missing; expected the frame's type."));
  }

  /** Returns a string member. */
  Optional<String> text(String name) {
    int node = tape.member(0, name);
    if (node < 0 || tape.kind(node) == Kind.NULL) {
      return Optional.empty();
    }
    if (tape.kind(node) != Kind.STRING) {
      throw invalid(
          name, "The value must be a string, but is " + tape.kind(node).described() + ".");
    }
    return Optional.of(tape.string(node));
  }

  /**
   * Returns the first members that a frame of this type does not have.
   *
   * @param own the members of the type, besides those of each frame
   */
  List<String> unknown(Collection<String> own) {
    List<String> found = new ArrayList<>();
    for (int node = 1; node < tape.next(0) && found.size() < MAX_NAMED; node = tape.next(node)) {
      String name = tape.name(node);
      if (!OF_ALL.contains(name) && !own.contains(name)) {
        found.add(name.substring(0, Math.min(name.length(), MAX_ID)));
      }
    }
    return found;
  }

  /**
   * Rejects members that a frame of this type does not have.
   *
   * @throws ProtocolException {@code invalid_request}, which names the first one
   */
  void needOnly(Collection<String> own) {
    List<String> unknown = unknown(own);
    if (!unknown.isEmpty()) {
      Set<String> known = new TreeSet<>(OF_ALL);
      known.addAll(own);
      throw invalid(
          unknown.get(0),
          "A frame of the type "
              + type()
              + " does not have this member; expected "
              + String.join(", ", known)
              + ".");
    }
  }

  /** Returns the member that corresponds to the body of a REST request. */
  Optional<JsonValue> body() {
    int node = tape.member(0, "body");
    return node < 0 ? Optional.empty() : Optional.of(new JsonValue(tape, node));
  }

  static ProtocolException invalid(String param, String message) {
    return new ProtocolException(ProtocolError.invalid(param, message));
  }
}

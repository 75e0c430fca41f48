package dev.bridle.proof.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bridle.proof.bundle.BundleLine.Kind;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.util.Optional;
import java.util.Set;

/**
 * Tells what a line is. The receipt in it is cut out as it is written: reading and writing it again
 * would hide from the verifier what is wrong with its JSON.
 */
final class LineParser {
  private static final String TYPE = "type";
  private static final String WIRE = "wire";
  private static final String PAYLOAD = "payload";

  private final long number;
  private final byte[] bytes;

  private LineParser(long number, byte[] bytes) {
    this.number = number;
    this.bytes = bytes;
  }

  static BundleLine parse(long number, byte[] bytes) {
    LineParser parser = new LineParser(number, bytes);
    try {
      String text =
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
      Optional<Members> line = Members.of(text);
      return line.isPresent() ? parser.object(line.get()) : parser.bareReceipt();
    } catch (IOException e) {
      return parser.bareReceipt();
    }
  }

  static BundleLine tooLong(long number, int most) {
    return BundleLine.without(Kind.UNREADABLE, number, "it has more than " + most + " bytes");
  }

  private BundleLine object(Members line) throws IOException {
    Set<String> names = line.names();
    boolean isLost = names.equals(Set.of(TYPE, "receipt_id"));
    if ((names.contains("receipt_id") && !isLost)
        || !(names.contains(TYPE) || names.contains(WIRE))) {
      return bareReceipt();
    }
    if (line.repeats()) {
      return unreadable("a member is there twice");
    }
    if (names.contains(TYPE) && names.contains(WIRE)) {
      return unreadable("it has both `type` and `wire`");
    }
    return names.contains(TYPE) ? typed(line) : resource(line);
  }

  private BundleLine typed(Members line) {
    Optional<String> type = line.string(TYPE);
    if (type.isEmpty()) {
      return unreadable("`type` is no string");
    }
    return switch (type.get()) {
      case "receipt" -> only(line, "receipt", Kind.RECEIPT);
      case "key_set" -> only(line, "key_set", Kind.KEY_SET);
      case "evidence" -> only(line, "evidence", Kind.EVIDENCE);
      case "artifact" -> only(line, "artifact", Kind.ARTIFACT);
      case "revocation" -> only(line, "revocation", Kind.REVOCATION);
      case "reason" -> only(line, "reason", Kind.REASON);
      case "event" -> only(line, "event", Kind.EVENT);
      case "chain" -> only(line, "chain", Kind.CHAIN);
      case "end" -> only(line, "end", Kind.END);
      case "unreadable" -> whole(Kind.LOST, line.string("receipt_id").orElse(""));
      case "header" -> whole(Kind.HEADER, line.string("format").orElse(""));
      default -> whole(Kind.OTHER, type.get());
    };
  }

  /** Returns a line without a content that others verify: all of it is strict JSON. */
  private BundleLine whole(Kind kind, String detail) {
    try {
      var unused = StrictJson.parse(bytes, StrictJson.LARGEST);
      return BundleLine.without(kind, number, detail);
    } catch (InvalidJsonException e) {
      return unreadable(e.getMessage());
    }
  }

  /** Returns the one member beside the type: another reader may take a second one for it. */
  private BundleLine only(Members line, String name, Kind kind) {
    if (!line.names().equals(Set.of(TYPE, name))) {
      return unreadable("its members are not `type` and `" + name + "`");
    }
    return content(line.object(name), name, kind);
  }

  private BundleLine resource(Members line) throws IOException {
    Optional<Members> wire = Members.of(line.object(WIRE).orElse("null"));
    if (wire.isPresent() && wire.get().repeats()) {
      return unreadable("a member of `wire` is there twice");
    }
    return content(
        wire.flatMap(members -> members.object(PAYLOAD)), WIRE + "." + PAYLOAD, Kind.RECEIPT);
  }

  private BundleLine content(Optional<String> json, String name, Kind kind) {
    return json.map(object -> BundleLine.of(kind, number, object.getBytes(UTF_8)))
        .orElseGet(() -> unreadable("`" + name + "` is no object"));
  }

  private BundleLine bareReceipt() {
    return BundleLine.of(Kind.RECEIPT, number, bytes);
  }

  private BundleLine unreadable(String why) {
    return BundleLine.without(Kind.UNREADABLE, number, why);
  }
}

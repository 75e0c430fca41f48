package dev.bridle.gateway.json;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.bridle.gateway.kit.json.InvalidMemberException;
import dev.bridle.gateway.kit.json.JsonTape;
import dev.bridle.gateway.kit.json.JsonTape.Kind;
import dev.bridle.json.EnumSpelling;
import dev.bridle.json.FieldPlan;
import dev.bridle.json.MessagePlan;
import dev.bridle.json.Timestamps;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Reads JSON into messages, and copies free-form JSON byte for byte. Skips and reports members that
 * a request can't set: unknown ones, and those that only the server sets. The core checks required
 * members, since it validates requests over REST and gRPC; only required lists are checked here,
 * since a message does not distinguish an absent list from an empty one.
 */
public final class JsonReader {

  private final UnionReader unions = new UnionReader(this);
  private final IntConsumer skipped;

  /**
   * Creates a reader of one text.
   *
   * @param skipped receives the node of each member that a request can't set
   */
  public JsonReader(IntConsumer skipped) {
    this.skipped = skipped;
  }

  /**
   * Reads the members of an object.
   *
   * @throws InvalidMemberException if a member has an invalid type or value
   */
  public void readObject(JsonTape tape, int node, MessagePlan plan, Message.Builder into) {
    require(tape, node, Kind.OBJECT);
    for (int child = node + 1; child < tape.next(node); child = tape.next(child)) {
      String name = tape.name(child);
      if (!plan.isConstant(name)) {
        readMember(tape, child, plan.field(name), into);
      }
    }
    for (FieldPlan list : plan.requiredLists()) {
      if (tape.member(node, list.jsonName()) < 0) {
        throw new InvalidMemberException(
            list.jsonName(), "The member is missing; expected an array.");
      }
    }
  }

  /** Reads a member of an object into its field, or reports the member as skipped. */
  public void readMember(JsonTape tape, int node, Optional<FieldPlan> field, Message.Builder into) {
    if (field.isEmpty() || field.get().rule().getReadOnly()) {
      skipped.accept(node);
      return;
    }
    try {
      readField(tape, node, field.get(), into);
    } catch (InvalidMemberException e) {
      throw e.within(tape.name(node));
    }
  }

  /** Reads one value into its field. */
  public void readField(JsonTape tape, int node, FieldPlan field, Message.Builder into) {
    FieldDescriptor descriptor = field.descriptor();
    if (tape.kind(node) == Kind.NULL && !(field.anyJson() && !field.rule().getNullable())) {
      if (!field.rule().getNullable()) {
        throw new InvalidMemberException("", "The member must not be null.");
      }
      into.clearField(descriptor);
    } else if (descriptor.isMapField()) {
      readMap(tape, node, descriptor, field.message(), into);
    } else if (field.repeated()) {
      readArray(tape, node, field, into);
    } else {
      into.setField(descriptor, value(tape, node, field, into));
    }
  }

  Object message(JsonTape tape, int node, MessagePlan plan, Message.Builder into) {
    if (plan.union()) {
      unions.read(tape, node, plan, into);
    } else {
      readObject(tape, node, plan, into);
    }
    return into.build();
  }

  private void readArray(JsonTape tape, int node, FieldPlan field, Message.Builder into) {
    require(tape, node, Kind.ARRAY);
    int index = 0;
    for (int child = node + 1; child < tape.next(node); child = tape.next(child), index++) {
      try {
        if (tape.kind(child) == Kind.NULL && !field.anyJson()) {
          throw new InvalidMemberException("", "The element must not be null.");
        }
        into.addRepeatedField(field.descriptor(), value(tape, child, field, into));
      } catch (InvalidMemberException e) {
        throw e.within("[" + index + "]");
      }
    }
  }

  private void readMap(
      JsonTape tape, int node, FieldDescriptor map, MessagePlan entryPlan, Message.Builder into) {
    require(tape, node, Kind.OBJECT);
    FieldPlan key = entryPlan.fields().get(0);
    FieldPlan value = entryPlan.fields().get(1);
    for (int child = node + 1; child < tape.next(node); child = tape.next(child)) {
      String name = tape.name(child);
      Message.Builder entry = into.newBuilderForField(map);
      entry.setField(key.descriptor(), name);
      try {
        readField(tape, child, value, entry);
      } catch (InvalidMemberException e) {
        throw e.within(name);
      }
      into.addRepeatedField(map, entry.build());
    }
  }

  private Object value(JsonTape tape, int node, FieldPlan field, Message.Builder into) {
    return switch (field.shape()) {
      case STRING -> string(tape, node);
      case BOOLEAN -> {
        require(tape, node, Kind.BOOLEAN);
        yield tape.bool(node);
      }
      case INTEGER -> {
        require(tape, node, Kind.INTEGER);
        yield integer(tape.numberText(node), field.descriptor());
      }
      case DECIMAL -> decimal(tape, node, field.descriptor());
      case ENUM -> enumValue(string(tape, node), field.spelling());
      case TIMESTAMP -> timestamp(string(tape, node));
      case FREE_FORM -> {
        if (!field.anyJson()) {
          require(tape, node, Kind.OBJECT);
        }
        yield ByteString.copyFrom(tape.raw(node));
      }
      case BASE64 -> base64(string(tape, node));
      case MESSAGE ->
          message(tape, node, field.message(), into.newBuilderForField(field.descriptor()));
    };
  }

  private static String string(JsonTape tape, int node) {
    require(tape, node, Kind.STRING);
    return tape.string(node);
  }

  private static Timestamp timestamp(String text) {
    return Timestamps.parse(text)
        .orElseThrow(
            () ->
                new InvalidMemberException(
                    "", "The value must be an RFC 3339 timestamp such as 2026-04-25T19:00:00Z."));
  }

  static void require(JsonTape tape, int node, Kind expected) {
    Kind came = tape.kind(node);
    if (came != expected) {
      throw new InvalidMemberException(
          "", "The value must be " + expected.described() + ", but is " + came.described() + ".");
    }
  }

  /** Reads a whole number within the range of its field. */
  public static Object integer(String text, FieldDescriptor field) {
    boolean isInt = field.getJavaType() == FieldDescriptor.JavaType.INT;
    try {
      // A 64-bit number has at most 20 characters; longer texts are out of range.
      if (text.length() <= 20) {
        BigInteger number = new BigInteger(text);
        if (isInt) {
          return number.intValueExact();
        }
        return number.longValueExact();
      }
    } catch (ArithmeticException e) {
      // Falls through to the error below.
    }
    throw new InvalidMemberException(
        "", "The number is out of range; expected a " + (isInt ? 32 : 64) + "-bit whole number.");
  }

  private static Object decimal(JsonTape tape, int node, FieldDescriptor field) {
    if (tape.kind(node) != Kind.INTEGER) {
      Kind came = tape.kind(node);
      if (came != Kind.DECIMAL) {
        throw new InvalidMemberException(
            "", "The value must be a number, but is " + came.described() + ".");
      }
    }
    BigDecimal number = tape.number(node);
    double value = number.doubleValue();
    if (Double.isInfinite(value)) {
      throw new InvalidMemberException("", "The number is out of the range of a double.");
    }
    return field.getJavaType() == FieldDescriptor.JavaType.FLOAT
        ? (Object) number.floatValue()
        : (Object) value;
  }

  /** Reads the name of an enum value. */
  public static Object enumValue(String text, EnumSpelling spelling) {
    return spelling
        .value(text)
        .orElseThrow(
            () ->
                new InvalidMemberException(
                    "",
                    "The value \""
                        + (text.length() > 64 ? text.substring(0, 64) + "…" : text)
                        + "\" is unknown; expected one of "
                        + String.join(", ", spelling.spellings())
                        + "."));
  }

  private static ByteString base64(String text) {
    try {
      return ByteString.copyFrom(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw new InvalidMemberException("", "The value must be base64.");
    }
  }
}

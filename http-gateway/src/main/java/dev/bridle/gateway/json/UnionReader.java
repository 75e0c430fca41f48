package dev.bridle.gateway.json;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.bridle.gateway.kit.json.InvalidMemberException;
import dev.bridle.gateway.kit.json.JsonTape;
import dev.bridle.gateway.kit.json.JsonTape.Kind;
import dev.bridle.json.FieldPlan;
import dev.bridle.json.FieldPlan.Shape;
import dev.bridle.json.MessagePlan;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Selects the branch of a union for a value: a message by its constant member, or else by the
 * presence of all its required members; a scalar by its type; otherwise the free-form JSON branch.
 * Unknown members of a message do not change its branch.
 */
final class UnionReader {

  private final JsonReader reader;

  UnionReader(JsonReader reader) {
    this.reader = reader;
  }

  void read(JsonTape tape, int node, MessagePlan union, Message.Builder into) {
    for (FieldPlan branch : union.members()) {
      if (branch.shape() != Shape.FREE_FORM && fits(tape, node, branch)) {
        set(tape, node, branch, into);
        return;
      }
    }
    for (FieldPlan branch : union.members()) {
      if (branch.shape() == Shape.FREE_FORM
          && (branch.anyJson() || tape.kind(node) == Kind.OBJECT)) {
        into.setField(branch.descriptor(), ByteString.copyFrom(tape.raw(node)));
        return;
      }
    }
    throw refusal(tape, node, union);
  }

  private void set(JsonTape tape, int node, FieldPlan branch, Message.Builder into) {
    if (branch.shape() == Shape.MESSAGE && !branch.descriptor().isRepeated()) {
      Message.Builder inner = into.newBuilderForField(branch.descriptor());
      into.setField(branch.descriptor(), reader.message(tape, node, branch.message(), inner));
    } else {
      reader.readField(tape, node, branch, into);
    }
  }

  private static boolean fits(JsonTape tape, int node, FieldPlan branch) {
    if (branch.descriptor().isRepeated()) {
      return tape.kind(node) == (branch.repeated() ? Kind.ARRAY : Kind.OBJECT);
    }
    return switch (branch.shape()) {
      case STRING -> tape.kind(node) == Kind.STRING;
      case BOOLEAN -> tape.kind(node) == Kind.BOOLEAN;
      case INTEGER -> tape.kind(node) == Kind.INTEGER;
      case DECIMAL -> tape.kind(node) == Kind.INTEGER || tape.kind(node) == Kind.DECIMAL;
      case MESSAGE -> tape.kind(node) == Kind.OBJECT && fits(tape, node, branch.message());
      default -> false;
    };
  }

  private static boolean fits(JsonTape tape, int node, MessagePlan message) {
    if (message.union()) {
      return true;
    }
    Optional<MessagePlan.Constant> constant = message.constant();
    if (constant.isPresent()) {
      int member = tape.member(node, constant.get().name());
      return member >= 0
          && tape.kind(member) == Kind.STRING
          && tape.string(member).equals(constant.get().value());
    }
    return message.fields().stream()
        .filter(FieldPlan::required)
        .allMatch(field -> tape.member(node, field.jsonName()) >= 0);
  }

  private static InvalidMemberException refusal(JsonTape tape, int node, MessagePlan union) {
    if (tape.kind(node) != Kind.OBJECT) {
      return new InvalidMemberException(
          "", "The value must be an object, but is " + tape.kind(node).described() + ".");
    }
    String name =
        union.members().stream()
            .filter(branch -> branch.shape() == Shape.MESSAGE)
            .flatMap(branch -> branch.message().constant().stream())
            .map(MessagePlan.Constant::name)
            .findFirst()
            .orElse("");
    String accepted =
        union.members().stream()
            .filter(branch -> branch.shape() == Shape.MESSAGE)
            .flatMap(branch -> branch.message().constant().stream())
            .map(MessagePlan.Constant::value)
            .collect(Collectors.joining(", "));
    int member = tape.member(node, name);
    String problem =
        member < 0
            ? "The member is missing"
            : tape.kind(member) != Kind.STRING
                ? "The value must be a string, but is " + tape.kind(member).described()
                : "The value is unknown";
    return new InvalidMemberException(name, problem + "; expected one of " + accepted + ".");
  }
}

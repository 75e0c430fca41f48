package dev.bridle.gateway.call;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import dev.bridle.gateway.json.JsonReader;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.error.ProtocolException;
import dev.bridle.gateway.kit.json.InvalidMemberException;
import dev.bridle.gateway.kit.json.JsonTape;
import dev.bridle.gateway.kit.json.JsonValue;
import dev.bridle.json.FieldPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Builds the request message of a call from path, query, headers and body. */
public final class RequestBinder {

  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,20}");

  private final RequestPlan plan;
  private final Message prototype;
  private final Supplier<String> publicUrl;

  /** Creates a binder for one route. */
  public RequestBinder(RequestPlan plan, Message prototype, Supplier<String> publicUrl) {
    this.plan = plan;
    this.prototype = prototype;
    this.publicUrl = publicUrl;
  }

  /**
   * Binds a request. Members and query parameters that the operation does not know are rejected, or
   * ignored if the client prefers lenient handling.
   *
   * @throws ProtocolException {@code invalid_request} with the invalid parameter
   */
  public Binding bind(Exchange exchange, Optional<JsonValue> body) {
    Message.Builder message = prototype.newBuilderForType();
    UnknownMembers unknown = new UnknownMembers(plan);
    try {
      for (int i = 0; i < plan.path().size(); i++) {
        FieldPlan field = plan.path().get(i);
        set(message, field, field.descriptor().getName(), exchange.pathValues().get(i));
      }
      if (!exchange.query().isEmpty()) {
        query(QueryParams.fromQueryString(exchange.query(), false), message, unknown);
      }
      headers(exchange.request().headers(), message);
      if (body.isPresent()) {
        body(body.get().tape(), body.get().node(), message, unknown);
      }
    } catch (InvalidMemberException e) {
      throw new ProtocolException(ProtocolError.invalid(e.param(), e.getMessage()));
    }
    boolean lenient =
        plan.rejectsUnknown() && HandlingPreference.isLenient(exchange.request().headers());
    if (!lenient) {
      unknown.reject();
    }
    plan.publicUrl().ifPresent(field -> message.setField(field, publicUrl.get()));
    return new Binding(message, lenient, unknown.names());
  }

  private void query(QueryParams given, Message.Builder message, UnknownMembers unknown) {
    for (Map.Entry<String, FieldPlan> entry : plan.query().entrySet()) {
      List<String> values = given.getAll(entry.getKey());
      if (values.size() > 1) {
        throw new InvalidMemberException(
            entry.getKey(), "The query parameter must be present at most once.");
      }
      if (!values.isEmpty()) {
        set(message, entry.getValue(), entry.getKey(), values.get(0));
      }
    }
    if (plan.rejectsUnknown()) {
      given.names().stream()
          .filter(name -> !plan.query().containsKey(name))
          // A lone "?" or "&".
          .filter(
              name -> !name.isEmpty() || given.getAll(name).stream().anyMatch(it -> !it.isEmpty()))
          .forEach(unknown::addParameter);
    }
  }

  private void headers(RequestHeaders headers, Message.Builder message) {
    for (Map.Entry<String, FieldPlan> entry : plan.headers().entrySet()) {
      String value = headers.get(entry.getKey());
      if (value != null && !value.isEmpty()) {
        set(message, entry.getValue(), entry.getKey(), value);
      }
    }
  }

  private void body(JsonTape tape, int object, Message.Builder message, UnknownMembers unknown) {
    if (!plan.takesBody() && tape.kind(object) == JsonTape.Kind.NULL) {
      return;
    }
    if (tape.kind(object) != JsonTape.Kind.OBJECT) {
      throw new InvalidMemberException(
          "", "The body must be a JSON object, but is " + tape.kind(object).described() + ".");
    }
    if (!plan.takesBody()) {
      for (int child = object + 1; child < tape.next(object); child = tape.next(child)) {
        unknown.addMember(tape, object, child);
      }
      return;
    }
    JsonReader reader = new JsonReader(node -> unknown.addMember(tape, object, node));
    FieldMask.Builder named = FieldMask.newBuilder();
    for (int child = object + 1; child < tape.next(object); child = tape.next(child)) {
      Optional<FieldPlan> field =
          plan.message()
              .field(tape.name(child))
              .filter(found -> found.rule().getHeader().isEmpty());
      if (field.filter(plan.path()::contains).isPresent()) {
        requireSame(tape, child, field.get().descriptor(), message);
        continue;
      }
      reader.readMember(tape, child, field, message);
      field.ifPresent(found -> named.addPaths(found.descriptor().getName()));
    }
    plan.mask().ifPresent(mask -> message.setField(mask, named.build()));
  }

  private static void requireSame(
      JsonTape tape, int node, FieldDescriptor field, Message.Builder message) {
    Object inPath = message.getField(field);
    if (tape.kind(node) != JsonTape.Kind.STRING || !tape.string(node).equals(inPath)) {
      throw new InvalidMemberException(
          field.getName(), "The member differs from the value in the path, \"" + inPath + "\".");
    }
  }

  private static void set(Message.Builder message, FieldPlan field, String name, String text) {
    try {
      message.setField(field.descriptor(), value(field, text));
    } catch (InvalidMemberException e) {
      throw e.within(name);
    }
  }

  private static Object value(FieldPlan field, String text) {
    return switch (field.shape()) {
      case STRING -> text;
      case INTEGER -> {
        if (!WHOLE_NUMBER.matcher(text).matches()) {
          throw new InvalidMemberException("", "The value must be a whole number.");
        }
        yield JsonReader.integer(text, field.descriptor());
      }
      case BOOLEAN -> {
        if (!text.equals("true") && !text.equals("false")) {
          throw new InvalidMemberException("", "The value must be true or false.");
        }
        yield text.equals("true");
      }
      case ENUM -> JsonReader.enumValue(text, field.spelling());
      default ->
          throw new IllegalStateException(
              field.descriptor().getFullName() + " can't be bound from a text.");
    };
  }
}

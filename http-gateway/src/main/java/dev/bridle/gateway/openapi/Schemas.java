package dev.bridle.gateway.openapi;

import com.google.protobuf.Descriptors.Descriptor;
import dev.bridle.gateway.call.RequestPlan;
import dev.bridle.json.FieldPlan;
import dev.bridle.json.MessagePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Creates the JSON Schemas of messages, each one a component with the message's name. */
final class Schemas {

  private final Comments comments;
  private final FieldSchemas fields = new FieldSchemas();
  private final JsonObject components = JsonObject.of();
  private final Map<String, Descriptor> names = new HashMap<>();

  Schemas(Comments comments) {
    this.comments = comments;
  }

  /** Returns all referenced components. */
  JsonObject components() {
    return components;
  }

  /** Returns a reference to the component of a response message. */
  JsonObject message(MessagePlan plan) {
    String name = claim(plan.descriptor());
    if (!components.has(name)) {
      components.put(name, "placeholder that ends recursion");
      components.put(name, plan.union() ? union(plan) : object(plan, plan.fields(), List.of()));
    }
    return JsonObject.reference("schemas/" + name);
  }

  /** Returns a reference to the component of a request's body, which may repeat path variables. */
  JsonObject body(RequestPlan plan) {
    String name = claim(plan.message().descriptor());
    List<FieldPlan> members = new ArrayList<>(plan.path());
    members.addAll(plan.body());
    components.put(name, object(plan.message(), members, plan.path()));
    return JsonObject.reference("schemas/" + name);
  }

  /** Returns the schema of a query parameter, path variable or header. */
  JsonObject parameter(FieldPlan field) {
    return fields.scalar(field);
  }

  private JsonObject object(
      MessagePlan plan, List<FieldPlan> members, List<FieldPlan> neverRequired) {
    List<String> required = new ArrayList<>();
    JsonObject properties = JsonObject.of();
    plan.constant()
        .ifPresent(
            constant -> {
              required.add(constant.name());
              properties.put(
                  constant.name(),
                  JsonObject.of("type", "string").put("enum", List.of(constant.value())));
            });
    for (FieldPlan field : members) {
      if (!field.rule().getHidden()) {
        properties.put(field.jsonName(), property(field));
        if (field.required() && !neverRequired.contains(field)) {
          required.add(field.jsonName());
        }
      }
    }
    return JsonObject.of("type", "object")
        .putUnlessEmpty("description", comments.of(plan.descriptor().getFullName()))
        .putUnlessEmpty("required", required)
        .put("properties", properties);
  }

  private JsonObject union(MessagePlan plan) {
    if (plan.fields().get(0).descriptor().isRepeated()) {
      return property(plan.fields().get(0));
    }
    List<JsonObject> branches = new ArrayList<>();
    for (FieldPlan branch : plan.members()) {
      branches.add(value(branch));
    }
    JsonObject schema =
        JsonObject.of().putUnlessEmpty("description", comments.of(plan.descriptor().getFullName()));
    return schema.put("anyOf", branches);
  }

  private JsonObject property(FieldPlan field) {
    JsonObject schema;
    if (field.descriptor().isMapField()) {
      FieldPlan entry = field.message().fields().get(1);
      schema = JsonObject.of("type", "object").put("additionalProperties", value(entry));
    } else if (field.descriptor().isRepeated()) {
      schema = fields.array(field, value(field));
    } else {
      schema = value(field);
      if (field.rule().getNullable()) {
        schema = FieldSchemas.nullable(schema);
      }
    }
    if (field.rule().getReadOnly()) {
      schema.put("readOnly", true);
    }
    return schema.putUnlessEmpty("description", comments.of(field.descriptor().getFullName()));
  }

  private JsonObject value(FieldPlan field) {
    return field.shape() == FieldPlan.Shape.MESSAGE
        ? message(field.message())
        : fields.scalar(field);
  }

  private String claim(Descriptor descriptor) {
    Descriptor other = names.putIfAbsent(descriptor.getName(), descriptor);
    if (other != null && !other.getFullName().equals(descriptor.getFullName())) {
      throw new IllegalArgumentException(
          descriptor.getFullName()
              + " and "
              + other.getFullName()
              + " would be one component of the OpenAPI document; expected different names.");
    }
    return descriptor.getName();
  }
}

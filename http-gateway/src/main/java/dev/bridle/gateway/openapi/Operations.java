package dev.bridle.gateway.openapi;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.bridle.api.v1.Delivery;
import dev.bridle.gateway.call.ProtocolVersions;
import dev.bridle.gateway.call.RequestPlan;
import dev.bridle.gateway.kit.call.HeaderChecks;
import dev.bridle.gateway.route.Route;
import dev.bridle.json.FieldPlan;
import dev.bridle.json.MessagePlans;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Creates the operations of the document: parameters, request bodies and responses of each route.
 */
final class Operations {

  private static final int NO_CONTENT = 204;
  private static final String JSON = "application/json";
  private static final String HTML = "text/html";
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String BYTES = "application/octet-stream";

  private final Comments comments;
  private final Schemas schemas;
  private final MessagePlans plans;

  Operations(Comments comments, Schemas schemas, MessagePlans plans) {
    this.comments = comments;
    this.schemas = schemas;
    this.plans = plans;
  }

  /** Returns the tag that groups a service's operations. */
  static String tag(MethodDescriptor method) {
    return method.getService().getName().replaceAll("Service$", "");
  }

  JsonObject of(Route route) {
    MethodDescriptor method = route.descriptor();
    String comment = comments.of(method.getFullName());
    RequestPlan plan = new RequestPlan(route, plans);
    JsonObject operation =
        JsonObject.of("tags", List.of(tag(method)))
            .put("operationId", lowerFirst(method.getName()))
            .putUnlessEmpty("summary", Comments.summary(comment))
            .putUnlessEmpty("description", comment)
            .putUnlessEmpty("parameters", parameters(route, plan));
    if (route.rule().getExtension()) {
      operation.put("x-bridle-extension", true);
    }
    if (route.rule().getDelivery() == Delivery.DELIVERY_EVENT_STREAM) {
      operation.put("x-websocket-path", true);
    }
    if (route.rule().getOpen()) {
      operation.put("security", List.of());
    } else if (!route.rule().getScope().isEmpty()) {
      operation.put("security", SecuritySchemes.required(List.of(route.rule().getScope())));
    }
    body(route, plan, operation);
    operation
        .object("responses")
        .put(
            String.valueOf(route.status()),
            route.status() == NO_CONTENT
                ? JsonObject.of("description", "Success.")
                : JsonObject.of("description", "Success.").put("content", answer(route)))
        .put("default", JsonObject.reference("responses/Error"));
    return operation;
  }

  private void body(Route route, RequestPlan plan, JsonObject operation) {
    if (plan.data().isPresent()) {
      operation.put(
          "requestBody", JsonObject.of("required", true).put("content", content(BYTES, binary())));
    } else if (route.hasBody()) {
      operation.put(
          "requestBody",
          JsonObject.of("required", !route.rule().getBodyOptional())
              .put("content", content(bodyType(route), schemas.body(plan))));
    }
  }

  private static String bodyType(Route route) {
    return route.rule().getDelivery() == Delivery.DELIVERY_TOKEN ? FORM : JSON;
  }

  private JsonObject answer(Route route) {
    return switch (route.rule().getDelivery()) {
      case DELIVERY_EVENT_STREAM -> content("text/event-stream", JsonObject.of("type", "string"));
      case DELIVERY_BYTES -> content(BYTES, binary());
      case DELIVERY_PAGE ->
          json(route).put(HTML, JsonObject.of("schema", JsonObject.of("type", "string")));
      default -> json(route);
    };
  }

  private JsonObject json(Route route) {
    return content(JSON, schemas.message(plans.of(route.response().getDescriptorForType())));
  }

  private List<JsonObject> parameters(Route route, RequestPlan plan) {
    List<JsonObject> parameters = new ArrayList<>();
    if (!route.rule().getOpen()) {
      parameters.add(JsonObject.reference("parameters/ProtocolVersion"));
    }
    for (FieldPlan field : plan.path()) {
      parameters.add(parameter(field.descriptor().getName(), "path", true, field));
    }
    for (Map.Entry<String, FieldPlan> entry : plan.query().entrySet()) {
      parameters.add(
          parameter(entry.getKey(), "query", entry.getValue().required(), entry.getValue()));
    }
    for (Map.Entry<String, FieldPlan> entry : plan.headers().entrySet()) {
      parameters.add(
          parameter(entry.getKey(), "header", entry.getValue().required(), entry.getValue()));
    }
    if (route.rule().getCommand()) {
      parameters.add(JsonObject.reference("parameters/IdempotencyKey"));
    }
    return parameters;
  }

  private JsonObject parameter(String name, String in, boolean required, FieldPlan field) {
    return JsonObject.of("name", name)
        .put("in", in)
        .put("required", required)
        .putUnlessEmpty("description", comments.of(field.descriptor().getFullName()))
        .put("schema", schemas.parameter(field));
  }

  /** Returns the parameters that many operations share. */
  static JsonObject sharedParameters() {
    return JsonObject.of(
            "ProtocolVersion",
            JsonObject.of("name", ProtocolVersions.HEADER)
                .put("in", "header")
                .put("required", true)
                .put("description", "The protocol version of the request.")
                .put(
                    "schema",
                    JsonObject.of("type", "string").put("enum", ProtocolVersions.SUPPORTED)))
        .put(
            "IdempotencyKey",
            JsonObject.of("name", HeaderChecks.IDEMPOTENCY_KEY)
                .put("in", "header")
                .put("required", false)
                .put("description", "Makes retries of the request apply once.")
                .put(
                    "schema",
                    JsonObject.of("type", "string").put("minLength", 1).put("maxLength", 255)));
  }

  private static JsonObject content(String type, JsonObject schema) {
    return JsonObject.of(type, JsonObject.of("schema", schema));
  }

  private static JsonObject binary() {
    return JsonObject.of("type", "string").put("format", "binary");
  }

  private static String lowerFirst(String name) {
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }
}

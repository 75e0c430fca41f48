package dev.bridle.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.bridle.fixtures.client.Json;
import dev.bridle.gateway.call.RequestPlan;
import dev.bridle.gateway.route.Route;
import dev.bridle.json.FieldPlan;
import dev.bridle.json.FieldPlan.Shape;
import dev.bridle.json.MessagePlan;
import dev.bridle.json.MessagePlans;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A body of an operation with every member that it has. */
final class RequestSample {
  private static final int DEEPEST = 6;

  /** Enough for each pair of a task's input, of two kinds, and its parts, of seven. */
  private static final int VARIATIONS = 14;

  private static final MessagePlans PLANS = new MessagePlans();

  /** Selects the branches of the unions that are still to come. */
  private int branches;

  private final Map<String, ObjectNode> objects = new LinkedHashMap<>();
  private final ObjectNode body;

  private RequestSample(Route route, int variation) {
    this.branches = variation;
    RequestPlan plan = new RequestPlan(route, PLANS);
    this.body = object(plan.body(), "", 0);
  }

  /** Returns samples that have each branch of each union. */
  static List<RequestSample> of(Route route) {
    List<RequestSample> samples = new ArrayList<>();
    for (int variation = 0; variation < VARIATIONS; variation++) {
      RequestSample sample = new RequestSample(route, variation);
      if (samples.stream().noneMatch(other -> other.body.equals(sample.body))) {
        samples.add(sample);
      }
    }
    return samples;
  }

  String json() {
    return body.toString();
  }

  /** Returns the paths of the objects whose members are known: {@code ""} is the body. */
  List<String> objects() {
    return List.copyOf(objects.keySet());
  }

  /** Returns the body with one more member in one of its objects. */
  String with(String object, String extra) {
    ObjectNode changed = objects.get(object);
    changed.put(extra, 1);
    String json = body.toString();
    changed.remove(extra);
    return json;
  }

  private ObjectNode object(List<FieldPlan> members, String path, int depth) {
    ObjectNode made = Json.object();
    objects.put(path, made);
    for (FieldPlan member : members) {
      boolean tooDeep = member.shape() == Shape.MESSAGE && depth == DEEPEST;
      if (!member.rule().getReadOnly() && !tooDeep) {
        String inner = path.isEmpty() ? member.jsonName() : path + "." + member.jsonName();
        made.set(member.jsonName(), member(member, inner, depth + 1));
      }
    }
    return made;
  }

  private JsonNode member(FieldPlan field, String path, int depth) {
    if (field.descriptor().isMapField()) {
      ObjectNode map = Json.object();
      FieldPlan value = field.message().fields().get(1);
      map.set("key", value(value, path + ".key", depth));
      return map;
    }
    return field.repeated()
        ? Json.array(value(field, path + "[0]", depth))
        : value(field, path, depth);
  }

  private JsonNode value(FieldPlan field, String path, int depth) {
    return switch (field.shape()) {
      case STRING -> TextNode.valueOf("text");
      case BOOLEAN -> BooleanNode.TRUE;
      case INTEGER -> IntNode.valueOf(1);
      case DECIMAL -> DoubleNode.valueOf(1.5);
      case ENUM -> TextNode.valueOf(field.spelling().spellings().get(0));
      case TIMESTAMP -> TextNode.valueOf("2026-04-25T19:00:00Z");
      case FREE_FORM -> Json.object().put("anything", 1);
      case BASE64 -> TextNode.valueOf("AA==");
      case MESSAGE -> message(field.message(), path, depth);
    };
  }

  private JsonNode message(MessagePlan plan, String path, int depth) {
    if (plan.union()) {
      int size = plan.members().size();
      FieldPlan branch = plan.members().get(branches % size);
      branches /= size;
      return value(branch, path, depth);
    }
    ObjectNode made = object(plan.members(), path, depth);
    plan.constant().ifPresent(constant -> made.put(constant.name(), constant.value()));
    return made;
  }
}

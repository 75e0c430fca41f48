package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads members of an object leniently: what has the wrong type is as if it were not there. */
final class Members {
  private final Map<String, RawJson> members;

  private Members(Map<String, RawJson> members) {
    this.members = members;
  }

  static Members of(RawJson object) {
    try {
      return new Members(object.members());
    } catch (BadJson e) {
      return new Members(Map.of());
    }
  }

  static Members of(Map<String, RawJson> members) {
    return new Members(members);
  }

  Set<String> names() {
    return members.keySet();
  }

  /** The member as it was spelled; absent if it is missing or null. */
  RawJson raw(String name) {
    RawJson found = members.getOrDefault(name, RawJson.absent());
    boolean isNull = found.length() == 4 && found.toString().equals("null");
    return isNull ? RawJson.absent() : found;
  }

  JsonNode json(String name) {
    return raw(name).jsonIfReadable();
  }

  String text(String name) {
    JsonNode json = json(name);
    return json.isTextual() ? json.textValue() : "";
  }

  boolean truth(String name) {
    return json(name).isBoolean() && json(name).booleanValue();
  }

  /** Whether there is an object, which is how capabilities are offered. */
  boolean offers(String name) {
    return json(name).isObject();
  }

  Members object(String name) {
    return of(raw(name));
  }

  /** The elements of a list that are objects. */
  List<RawJson> objects(String name) {
    return listed(raw(name));
  }

  /** Returns the elements of a list that are objects. */
  static List<RawJson> listed(RawJson list) {
    List<RawJson> found = new ArrayList<>();
    for (JsonNode each : list.jsonIfReadable()) {
      if (each.isObject()) {
        found.add(RawJson.of(each));
      }
    }
    return found;
  }
}

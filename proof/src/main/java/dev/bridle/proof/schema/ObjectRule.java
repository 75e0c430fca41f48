package dev.bridle.proof.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** The members that an object has to have, may have, and may not have. */
record ObjectRule(Map<String, Rule> members, List<String> required, boolean open) implements Rule {
  @Override
  public boolean meets(JsonNode value, Trail trail) {
    if (!value.isObject()) {
      return true;
    }
    for (String name : required) {
      if (!value.has(name)) {
        return trail.expected("expected a member `" + name + "`");
      }
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      Rule rule = members.get(member.getKey());
      if (rule == null) {
        if (!open) {
          trail.expected("unknown members are not allowed here");
          return trail.below(member.getKey());
        }
      } else if (!rule.meets(member.getValue(), trail)) {
        return trail.below(member.getKey());
      }
    }
    return true;
  }
}

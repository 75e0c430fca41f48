package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a tool call is otherwise than was shown.
 *
 * @param members by the name of the member, {@code allowed} and {@code acted}
 * @param firstName the name of its tool, if that was not said before and nothing else differs;
 *     whether it is another action then, rules on tools decide. Else empty.
 */
record Difference(ObjectNode members, String firstName) {
  static Difference of(ObjectNode members) {
    return new Difference(members, "");
  }

  static Difference ofName(String name) {
    ObjectNode members = JsonNodeFactory.instance.objectNode();
    members.putObject("name").put("acted", name);
    return new Difference(members, name);
  }

  /** Returns whether it is another action, whatever the rules say. */
  boolean isCertain() {
    return firstName.isEmpty();
  }
}

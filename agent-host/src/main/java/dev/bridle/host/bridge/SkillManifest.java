package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A skill as a runtime fetches it.
 *
 * @param id what {@code skills/fetch} names
 * @param name the name that the runtime shows
 * @param description what it is for
 * @param body its text; empty in a list
 * @param manifest further members, such as {@code when_to_use}, {@code allowed_tools}, {@code
 *     paths} and {@code model}
 */
public record SkillManifest(
    String id, String name, String description, String body, ObjectNode manifest) {
  /** Copies. */
  public SkillManifest {
    manifest = manifest.deepCopy();
  }

  /** Returns the entry of {@code skills/list}. */
  public ObjectNode reference() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", id)
        .put("name", name)
        .put("description", description)
        .put("source", "host");
  }

  /** Returns the answer of {@code skills/fetch}. */
  public ObjectNode whole() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", name).put("description", description).put("body", body);
    json.set("manifest", manifest.deepCopy());
    return json;
  }
}

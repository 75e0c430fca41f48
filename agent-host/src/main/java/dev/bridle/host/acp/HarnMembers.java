package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.rpc.RawJson;

/**
 * Reads the members that Harn's runtimes add to what ACP has: among the object's own members, as
 * earlier versions write them, or below {@code _meta.harn}, as later ones do. Of a member that is
 * in both places, the one among the object's own counts.
 */
public final class HarnMembers {
  private static final String META = "_meta";
  private static final String HARN = "harn";

  private final Members own;
  private final Members extensions;

  private HarnMembers(Members own) {
    this.own = own;
    this.extensions = own.object(META).object(HARN);
  }

  /** Reads an object, such as an update or the result of a prompt. */
  public static HarnMembers of(RawJson object) {
    return new HarnMembers(Members.of(object));
  }

  /** Reads a tool call. */
  public static HarnMembers of(ToolCall call) {
    return new HarnMembers(Members.of(call.members()));
  }

  /** Returns a member as it was spelled; absent if it is missing or null in both places. */
  public RawJson raw(String name) {
    RawJson found = own.raw(name);
    return found.isPresent() ? found : extensions.raw(name);
  }

  /** Returns the tree of a member; missing if there is none. */
  public JsonNode json(String name) {
    return own.raw(name).isPresent() ? own.json(name) : extensions.json(name);
  }

  /** Returns a text; empty if there is none. */
  public String text(String name) {
    JsonNode json = json(name);
    return json.isTextual() ? json.textValue() : "";
  }

  /**
   * Returns the extensions ({@code _meta}) of a tool call with those that were said of it before:
   * each of its updates may have others.
   */
  static RawJson joined(RawJson before, RawJson now) {
    JsonNode earlier = Members.tree(before);
    JsonNode later = Members.tree(now);
    if (!earlier.isObject() || !later.isObject()) {
      return now;
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode().setAll((ObjectNode) earlier);
    all.setAll((ObjectNode) later);
    if (earlier.path(HARN).isObject() && later.path(HARN).isObject()) {
      ObjectNode harn = JsonNodeFactory.instance.objectNode();
      harn.setAll((ObjectNode) earlier.get(HARN));
      harn.setAll((ObjectNode) later.get(HARN));
      all.set(HARN, harn);
    }
    return RawJson.of(all);
  }
}

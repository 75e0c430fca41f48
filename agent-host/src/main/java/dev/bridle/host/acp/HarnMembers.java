package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the members that Harn's runtimes add to what ACP has: among an object's own members, as
 * earlier versions write them, or below {@code _meta.harn}, as later ones do.
 */
public final class HarnMembers {
  private static final String META = "_meta";
  private static final String HARN = "harn";

  /** Where a member may stand; of one that is in several places, the first counts. */
  private final List<Members> places;

  private HarnMembers(List<Members> objects) {
    List<Members> all = new ArrayList<>();
    for (Members object : objects) {
      all.add(object);
      all.add(object.object(META).object(HARN));
    }
    this.places = List.copyOf(all);
  }

  /** Reads objects, such as an update, or a request and its tool call. */
  public static HarnMembers of(RawJson... objects) {
    return new HarnMembers(Arrays.stream(objects).map(Members::of).toList());
  }

  /** Reads a tool call. */
  public static HarnMembers of(ToolCall call) {
    return new HarnMembers(List.of(Members.of(call.members())));
  }

  /** Returns a member as it was spelled; absent if it is missing or null in all places. */
  public RawJson raw(String name) {
    return all(name).stream().findFirst().orElse(RawJson.absent());
  }

  /** Returns all values that there are of a member. */
  List<RawJson> all(String name) {
    return places.stream().map(members -> members.raw(name)).filter(RawJson::isPresent).toList();
  }

  /** Returns the members of a member that is an object. */
  Members object(String name) {
    return Members.of(raw(name));
  }

  /** Returns the tree of a member; missing if there is none. */
  public JsonNode json(String name) {
    return raw(name).jsonIfReadable();
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
    JsonNode earlier = before.jsonIfReadable();
    JsonNode later = now.jsonIfReadable();
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

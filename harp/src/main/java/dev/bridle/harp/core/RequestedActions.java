package dev.bridle.harp.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The buttons that an artifact asks an approver's device to show (the extension {@code
 * org.harp.requestedActions}, version 1). They are not signed and widen nothing. Any fault makes
 * the whole extension void, and the two default buttons show.
 */
public final class RequestedActions {
  private static final String NAME = "org.harp.requestedActions";
  private static final int MOST = 5;
  private static final Set<String> MEMBERS = Set.of("id", "caption", "style", "decision");
  private static final Set<String> STYLES = Set.of("primary", "secondary", "danger");

  /**
   * A button.
   *
   * @param id its id, by which it is named
   * @param caption what stands on it
   * @param style how it looks: {@code primary}, {@code secondary} or {@code danger}
   * @param answer what it decides
   */
  public record Action(String id, String caption, String style, Answer answer) {}

  /** What shows where an artifact asks for nothing. */
  public static final List<Action> DEFAULT =
      List.of(
          new Action("approve", "Approve", "primary", Answer.ALLOW),
          new Action("reject", "Reject", "danger", Answer.DENY));

  private RequestedActions() {}

  /** Returns the buttons of an artifact. */
  public static List<Action> of(Artifact artifact) {
    JsonNode extension = artifact.json().path("extensions").path(NAME);
    List<Action> actions = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    boolean sound =
        extension.isObject()
            && extension.size() == 2
            && extension.path("version").isInt()
            && extension.path("version").intValue() == 1
            && extension.path("actions").isArray()
            && extension.path("actions").size() <= MOST;
    for (JsonNode each : extension.path("actions")) {
      sound =
          sound && isSound(each) && ids.add(each.get("id").textValue().toLowerCase(Locale.ROOT));
      if (sound) {
        actions.add(action((ObjectNode) each));
      }
    }
    return sound && !actions.isEmpty() ? List.copyOf(actions) : DEFAULT;
  }

  private static boolean isSound(JsonNode action) {
    return action.isObject()
        && action.properties().stream().allMatch(member -> MEMBERS.contains(member.getKey()))
        && isText(action.path("id"))
        && isText(action.path("caption"))
        && (!action.has("style") || action.get("style").isTextual())
        && Set.of("approve", "reject").contains(action.path("decision").asText());
  }

  private static boolean isText(JsonNode value) {
    return value.isTextual() && !value.textValue().isBlank();
  }

  private static Action action(ObjectNode json) {
    String style = json.path("style").asText("secondary");
    return new Action(
        json.get("id").textValue(),
        json.get("caption").textValue(),
        STYLES.contains(style) ? style : "secondary",
        json.get("decision").textValue().equals("approve") ? Answer.ALLOW : Answer.DENY);
  }
}

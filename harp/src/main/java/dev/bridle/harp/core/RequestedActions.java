package dev.bridle.harp.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The buttons that an artifact asks an approver's device to show (the extension {@code
 * org.harp.requestedActions}, version 1). They are not signed and widen nothing. Any fault makes
 * the whole extension void, and the two default buttons show.
 */
public final class RequestedActions {
  private static final String NAME = "org.harp.requestedActions";

  /** The most buttons that an artifact may ask for. */
  public static final int MOST = 5;

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

  /**
   * Returns the extension by which an artifact asks for buttons; empty if it can't ask for these.
   *
   * @param actions at most 5, of ids that differ in more than case
   */
  public static Optional<ObjectNode> extension(List<Action> actions) {
    ObjectNode extensions = JsonNodeFactory.instance.objectNode();
    ObjectNode extension = extensions.putObject(NAME).put("version", 1);
    ArrayNode all = extension.putArray("actions");
    for (Action action : actions) {
      all.addObject()
          .put("id", action.id())
          .put("caption", action.caption())
          .put("style", action.style())
          .put("decision", action.answer().alias());
    }
    return read(extension).map(same -> extensions);
  }

  /** Returns the button of an id, if the artifact asks for one that decides that. */
  public static Optional<Action> find(Artifact artifact, String id, Answer answer) {
    return of(artifact).stream()
        .filter(action -> action.id().equals(id) && action.answer() == answer)
        .findFirst();
  }

  /** Returns the buttons of an artifact. */
  public static List<Action> of(Artifact artifact) {
    return read(artifact.json().path("extensions").path(NAME)).orElse(DEFAULT);
  }

  /** Returns the buttons of an artifact, if it asks for them and has no other extension. */
  public static Optional<List<Action>> alone(Artifact artifact) {
    JsonNode extensions = artifact.json().path("extensions");
    return extensions.size() == 1 ? read(extensions.path(NAME)) : Optional.empty();
  }

  private static Optional<List<Action>> read(JsonNode extension) {
    List<Action> actions = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    boolean sound =
        extension.isObject()
            && extension.size() == 2
            && extension.path("version").isIntegralNumber()
            && extension.path("version").longValue() == 1
            && extension.path("actions").isArray()
            && extension.path("actions").size() <= MOST;
    for (JsonNode each : extension.path("actions")) {
      sound =
          sound && isSound(each) && ids.add(each.get("id").textValue().toLowerCase(Locale.ROOT));
      if (sound) {
        actions.add(action((ObjectNode) each));
      }
    }
    return sound && !actions.isEmpty() ? Optional.of(List.copyOf(actions)) : Optional.empty();
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

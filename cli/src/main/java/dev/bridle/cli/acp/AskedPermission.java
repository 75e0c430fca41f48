package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.permission.OfferedOptions;
import dev.bridle.cli.permission.PermissionAnswer;
import dev.bridle.cli.permission.ShownAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A permission request as an editor shows it: the exact action, and what may be answered. What is
 * too large to be shown whole can't be allowed there.
 *
 * @param id the request's id
 * @param request the request, or the event that asks, which has the same members
 */
record AskedPermission(String id, JsonNode request) {
  /** Up to so many characters are shown at once, as {@code bridle run} does. */
  static final int MOST_SHOWN = 64 << 10;

  static final String ALLOW = "allow_once";
  static final String REJECT = "reject_once";

  /** The grant that an editor's "always" is: it ends with the session. */
  static final String GRANT = "this_action";

  /** Begins the ids of the agent's own options. */
  private static final String AGENTS = "agent:";

  private static final int MAX_TITLE = 200;
  private static final Set<String> FILE_KINDS = Set.of("edit", "delete", "move");

  /** Returns the request that an event asks. */
  static AskedPermission ofEvent(JsonNode payload) {
    return new AskedPermission(payload.path("permission_request_id").asText(), payload);
  }

  /** Returns a request as the server lists it. */
  static AskedPermission ofResource(JsonNode request) {
    return new AskedPermission(request.path("id").asText(), request);
  }

  /** Returns what the agent calls the action, which is no more than a name for it. */
  String agentsTitle() {
    return request.at("/action/title").asText("");
  }

  /** Returns the exact command where it is one, else what the agent calls the action. */
  String title() {
    String command = request.at("/action/content/command").asText("");
    String kind = request.at("/action/kind").asText("action");
    String title = agentsTitle().isEmpty() ? request.at("/action/tool").asText("") : agentsTitle();
    String shown = kind.equals("command") && !command.isEmpty() ? command : kind + ": " + title;
    return Texts.cut(ShownText.line(shown), MAX_TITLE);
  }

  String kind() {
    String kind = request.at("/action/kind").asText("");
    return kind.equals("command") ? "execute" : FILE_KINDS.contains(kind) ? kind : "other";
  }

  /** Whether all of the action can be shown. */
  boolean isWhole() {
    return request.at("/action/content").isObject() && shown().length() <= MOST_SHOWN;
  }

  private String shown() {
    List<String> lines = new ArrayList<>(ShownAction.lines(request));
    String repeats = request.at("/request/repeats/reason").asText("");
    if (!repeats.isEmpty()) {
      lines.add("asked again: " + ShownText.line(repeats));
    }
    int approvers = request.at("/request/approvers_required").asInt(1);
    if (approvers > 1) {
      lines.add(approvers + " approvals are needed");
    }
    return String.join("\n", lines);
  }

  /**
   * Returns the content of the tool call.
   *
   * @param hint the commands that answer elsewhere
   */
  ArrayNode content(String hint) {
    String shown = shown();
    ArrayNode content =
        Chunks.content(
            isWhole()
                ? Texts.fenced(shown)
                : "The action has "
                    + shown.length()
                    + " characters, too many to be shown here whole, so it can't be allowed here."
                    + " Read and answer it with\n"
                    + Texts.fenced(hint));
    if (isWhole()) {
      Diffs.of(request.at("/action/content")).ifPresent(content::add);
    }
    return content;
  }

  /** Returns the files that it is about. */
  ArrayNode locations() {
    ArrayNode locations = JsonLines.object().arrayNode();
    for (JsonNode file : request.at("/action/edited_files")) {
      locations.addObject().put("path", file.asText());
    }
    return locations;
  }

  /**
   * Completes the update of the tool call that it is about: all that the editor is to show.
   *
   * @param update an update with the id
   */
  ObjectNode complete(ObjectNode update, String hint) {
    update.set("content", content(hint));
    ArrayNode locations = locations();
    if (!locations.isEmpty()) {
      update.set("locations", locations);
    }
    if (isWhole()) {
      update.set("rawInput", request.at("/action/content"));
    }
    ObjectNode meta = update.putObject("_meta").putObject("bridle");
    if (request.at("/action/not_exact").isTextual()) {
      meta.set("not_exact", request.at("/action/not_exact"));
    }
    meta.put("permission_request_id", id)
        .put("content_hash", request.at("/request/content_hash").asText())
        .put("fingerprint", request.at("/action/fingerprint").asText())
        .put("expires_at", request.at("/request/expires_at").asText());
    return update;
  }

  /** Returns what may be answered: the agent's options, with its names, where it offers any. */
  ArrayNode options() {
    ArrayNode options = JsonLines.object().arrayNode();
    JsonNode offered = request.at("/request/options");
    if (isWhole()) {
      allowing(options, offered);
      for (JsonNode grant : request.at("/request/offered_grants")) {
        if (grant.path("id").asText().equals(GRANT)) {
          option(options, GRANT, "Allow this exact action in this session", "allow_always");
        }
      }
    }
    int before = options.size();
    for (JsonNode option : offered) {
      if (option.path("kind").asText().equals(REJECT)) {
        agents(options, option);
      }
    }
    if (options.size() == before) {
      option(options, REJECT, "Reject", REJECT);
    }
    return options;
  }

  private void allowing(ArrayNode options, JsonNode offered) {
    if (offered.isEmpty()) {
      option(options, ALLOW, "Allow once", ALLOW);
      return;
    }
    List<String> choices = OfferedOptions.of(request).choices();
    for (JsonNode option : offered) {
      boolean isChoice =
          choices.isEmpty()
              ? option.path("kind").asText().equals(ALLOW)
              : choices.contains(option.path("id").asText());
      if (isChoice) {
        agents(options, option);
      }
    }
  }

  private static void agents(ArrayNode options, JsonNode option) {
    option(
        options,
        AGENTS + option.path("id").asText(),
        ShownText.line(option.path("name").asText()),
        option.path("kind").asText());
  }

  private static void option(ArrayNode options, String id, String name, String kind) {
    options.addObject().put("optionId", id).put("name", name).put("kind", kind);
  }

  /** Returns the answer that an option is; empty if it was not offered. */
  Optional<PermissionAnswer> answer(String option) {
    for (JsonNode offered : options()) {
      if (offered.path("optionId").asText().equals(option)) {
        boolean isAgents = option.startsWith(AGENTS);
        return Optional.of(
            new PermissionAnswer(
                id,
                request.at("/request/content_hash").asText(),
                option.equals(GRANT) || OfferedOptions.allows(offered),
                isAgents ? Optional.of(option.substring(AGENTS.length())) : Optional.empty(),
                option.equals(GRANT) ? Optional.of(GRANT) : Optional.empty(),
                ""));
      }
    }
    return Optional.empty();
  }
}

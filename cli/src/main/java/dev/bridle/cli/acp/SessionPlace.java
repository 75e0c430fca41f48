package dev.bridle.cli.acp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where an editor's sessions are: their workspace and their persona.
 *
 * @param server the server
 * @param onlyWorkspace the one workspace whose sessions are used; empty for all that the key may
 *     use
 * @param givenPersona the id or name of the persona of new sessions
 */
record SessionPlace(
    BridleServer server, Optional<String> onlyWorkspace, Optional<String> givenPersona) {
  private static final int MOST_CWD = 4096;
  private static final int MOST_NAMES = 20;

  /** The root of a workspace that is a folder of this machine. */
  private static final String FOLDER = "dir:";

  /** Returns the folder that the editor names. */
  static String cwd(Params params) {
    String cwd = params.text("cwd");
    if (!isAbsolute(cwd) || cwd.length() > MOST_CWD) {
      throw AcpRefusal.badParams("cwd must be an absolute path");
    }
    if (!params.list("additionalDirectories").isEmpty()) {
      throw AcpRefusal.badParams("additionalDirectories are not supported");
    }
    return cwd;
  }

  private static boolean isAbsolute(String path) {
    return path.startsWith("/") || path.matches("[A-Za-z]:[\\\\/].*|\\\\\\\\.*");
  }

  /**
   * Returns what the user is to read about MCP servers that the editor wants connected, which
   * workers do not do; empty if there are none.
   *
   * @throws AcpRefusal for a kind of server that needs a capability
   */
  static String notice(Params params) {
    List<String> names = new ArrayList<>();
    for (JsonNode mcp : params.list("mcpServers")) {
      String type = mcp.path("type").asText("stdio");
      if (!type.equals("stdio")) {
        throw AcpRefusal.badParams(
            "mcpServers has one of the type " + Texts.cut(type, 32) + ", which is not supported");
      }
      names.add(Texts.cut(mcp.path("name").asText(""), 100));
    }
    if (names.isEmpty()) {
      return "";
    }
    return "the MCP servers of the editor are not connected, since the agents of a server run"
        + " elsewhere: "
        + String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
        + (names.size() > MOST_NAMES ? ", …" : "");
  }

  /**
   * Returns the workspace of a new session: the given one, else the one whose folder it is, else
   * the first.
   *
   * @throws AcpRefusal if there is none, or it is another folder of this machine
   */
  String workspace(String cwd) {
    List<JsonNode> all = server.workspaces();
    JsonNode chosen =
        onlyWorkspace
            .map(id -> first(all, workspace -> workspace.path("id").asText().equals(id)))
            .orElseGet(
                () ->
                    first(all, workspace -> root(workspace).equals(FOLDER + cwd))
                        .or(() -> first(all, workspace -> !root(workspace).startsWith(FOLDER))))
            .orElseThrow(
                () ->
                    AcpRefusal.badParams(
                        onlyWorkspace.isPresent()
                            ? "There is no workspace " + onlyWorkspace.get()
                            : "This key has no workspace for " + cwd));
    if (root(chosen).startsWith(FOLDER) && !root(chosen).equals(FOLDER + cwd)) {
      throw AcpRefusal.badParams(
          "cwd is not the folder of the workspace " + chosen.path("id").asText());
    }
    return chosen.path("id").asText();
  }

  private static String root(JsonNode workspace) {
    return workspace.path("root").asText("");
  }

  private static Optional<JsonNode> first(
      List<JsonNode> all, java.util.function.Predicate<JsonNode> which) {
    return all.stream().filter(which).findFirst();
  }

  /**
   * Returns the persona of new sessions.
   *
   * @param visible the personas that the key may see
   */
  Optional<String> persona(List<JsonNode> visible) {
    if (givenPersona.isEmpty() || visible.isEmpty()) {
      return givenPersona;
    }
    String given = givenPersona.get();
    return Optional.of(
        visible.stream()
            .filter(
                persona ->
                    persona.path("id").asText().equals(given)
                        || persona.path("name").asText().equals(given))
            .findFirst()
            .map(persona -> persona.path("id").asText())
            .orElseThrow(() -> AcpRefusal.badParams("There is no persona " + given)));
  }

  /** Returns a member that is a text; empty where it is missing or null. */
  static Optional<String> text(JsonNode resource, String member) {
    return Optional.of(resource.path(member)).filter(JsonNode::isTextual).map(JsonNode::textValue);
  }
}

package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import java.util.Optional;
import java.util.UUID;

/** Creates the session and artifacts that a task needs. */
final class Sessions {
  private final RestClient client;

  Sessions(RestClient client) {
    this.client = client;
  }

  /** Creates a session in that workspace, or in the first listed workspace. */
  String create(Optional<String> workspace) {
    ObjectNode body =
        JsonLines.object().put("workspace_id", workspace.orElseGet(this::firstWorkspace));
    return id(client.post("/v1/sessions", body, key()));
  }

  /** Registers an artifact of the session and uploads its content. */
  String upload(String session, byte[] content) {
    ObjectNode body =
        JsonLines.object()
            .put("kind", "file")
            .put("mime_type", "application/octet-stream")
            .put("visibility", "public")
            .put("session_id", session);
    String id = id(client.post("/v1/artifacts", body, key()));
    client.put("/v1/artifacts/" + id + "/content", content, "application/octet-stream");
    return id;
  }

  private String firstWorkspace() {
    JsonNode first = client.get("/v1/workspaces?limit=1").at("/data/0/id");
    if (!first.isTextual()) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "This API key has access to no workspace. Create one with 'bridle workspace create',"
              + " or use another key.");
    }
    return first.textValue();
  }

  private static String id(JsonNode resource) {
    return resource.path("id").asText();
  }

  private static String key() {
    return UUID.randomUUID().toString();
  }
}

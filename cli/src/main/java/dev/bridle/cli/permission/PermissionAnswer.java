package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import java.util.Optional;
import java.util.UUID;

/**
 * A person's answer to a permission request, bound to the hash of what was shown.
 *
 * @param requestId the request's id
 * @param contentHash the hash of what was shown
 * @param approved whether the action may be done
 * @param option the agent's option that is chosen
 * @param grant the offered grant that is chosen
 * @param reason a sentence for the record; may be empty
 */
public record PermissionAnswer(
    String requestId,
    String contentHash,
    boolean approved,
    Optional<String> option,
    Optional<String> grant,
    String reason) {

  /**
   * Gives the answer, as the actor of the client's key.
   *
   * @return the request with the answer
   * @throws dev.bridle.cli.console.CommandFailed if the server does not take it
   */
  public JsonNode send(RestClient client) {
    ObjectNode answer =
        JsonLines.object().put("approved", approved).put("content_hash", contentHash);
    option.ifPresent(id -> answer.put("option_id", id));
    grant.ifPresent(id -> answer.put("grant", id));
    if (!reason.isEmpty()) {
      answer.put("reason", reason);
    }
    return client.post(
        "/v1/permission-requests/" + RestClient.escape(requestId) + "/respond",
        answer,
        UUID.randomUUID().toString());
  }
}

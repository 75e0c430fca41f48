package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of an answer to a permission request. */
final class AnswerOptions {

  @Parameters(paramLabel = "REQUEST", description = "The permission request's id.")
  private String request = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit log.")
  private Optional<String> reason = Optional.empty();

  @Option(
      names = "--reviewer",
      paramLabel = "NAME",
      description = "The name of the reviewer, for the audit log.")
  private Optional<String> reviewer = Optional.empty();

  @Option(
      names = "--option",
      paramLabel = "ID",
      description = "One of the options that the agent offered.")
  private Optional<String> option = Optional.empty();

  @Option(
      names = "--content-hash",
      paramLabel = "HASH",
      description = "The hash of the reviewed content; rejected if the request has another hash.")
  private Optional<String> contentHash = Optional.empty();

  /** Sends the answer and returns the updated request. */
  JsonNode send(RestClient client, boolean approved, Optional<String> grant) {
    ObjectNode body = JsonLines.object().put("approved", approved);
    reason.ifPresent(why -> body.put("reason", why));
    reviewer.ifPresent(who -> body.put("reviewer", who));
    option.ifPresent(id -> body.put("option_id", id));
    contentHash.ifPresent(hash -> body.put("content_hash", hash));
    grant.ifPresent(id -> body.put("grant", id));
    return client.post(
        "/v1/permission-requests/" + RestClient.escape(request) + "/respond",
        body,
        UUID.randomUUID().toString());
  }
}

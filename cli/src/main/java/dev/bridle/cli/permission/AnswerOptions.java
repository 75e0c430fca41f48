package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What an answer to a permission request may say beside yes or no. */
final class AnswerOptions {

  @Parameters(paramLabel = "REQUEST", description = "The permission request's id.")
  private String request = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
  private Optional<String> reason = Optional.empty();

  @Option(names = "--reviewer", paramLabel = "NAME", description = "Who answers, for the record.")
  private Optional<String> reviewer = Optional.empty();

  @Option(
      names = "--option",
      paramLabel = "ID",
      description = "One of the options that the agent offers.")
  private Optional<String> option = Optional.empty();

  @Option(
      names = "--content-hash",
      paramLabel = "HASH",
      description = "The hash of what was looked at; refused where something else is asked.")
  private Optional<String> contentHash = Optional.empty();

  /** Sends the answer and returns the request as it stands then. */
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

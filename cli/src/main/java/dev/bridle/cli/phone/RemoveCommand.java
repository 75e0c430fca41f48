package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a phone for good. */
@Command(
    name = "remove",
    description = {
      "Remove a phone for good, such as one that was lost: nothing that it signs counts from then"
          + " on, its token at the relay ends, and approvals that count one of its decisions can't"
          + " be used any more. The same phone can be added again with new keys."
    },
    footer = {"%nExample:", "  bridle phone remove 'my phone' --reason lost"})
final class RemoveCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "PHONE", description = "Its id, or its name.")
  private String phone = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
  private Optional<String> reason = Optional.empty();

  /** Creates the command; called by picocli. */
  RemoveCommand() {}

  @Override
  public void run() {
    RestClient client = server.connect();
    ObjectNode ask = JsonLines.object();
    reason.ifPresent(text -> ask.put("reason", text));
    JsonNode removed =
        client.post(new Phones(client).path(phone) + "/revoke", ask, UUID.randomUUID().toString());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "Removed: " + removed.path("id").asText() + " at " + removed.path("revoked_at").asText());
    remaining(removed).ifPresent(left -> out.println("Still valid: " + left));
    out.flush();
  }

  /** Returns what whoever has the phone can still use, and how that ends. */
  private static Optional<String> remaining(JsonNode removed) {
    String approver = ShownText.line(removed.path("approver_id").asText());
    String person = ShownText.line(removed.path("principal").asText());
    return switch (removed.path("remaining_access").asText("")) {
      case "" -> Optional.empty();
      case "shared_approver" ->
          Optional.of(
              "its id at the relay, "
                  + approver
                  + ", and that id's token, since another phone has the same. Remove that one, too,"
                  + " to end them.");
      case "shared_credential" ->
          Optional.of(
              "its token at the relay, since another phone of "
                  + person
                  + " was paired with the same. Remove that one, too, to end it.");
      case "credentials_of_actor" ->
          Optional.of(
              "its id at the relay, "
                  + approver
                  + ", and each API key that is on it, since no pairing gave it a token of its own."
                  + " 'bridle harp parties revoke approver "
                  + approver
                  + "' ends the id; 'bridle apikey list' lists keys, 'bridle apikey revoke' ends"
                  + " one.");
      case "other_relay" ->
          Optional.of(
              "its id "
                  + approver
                  + " and its token at the relay "
                  + ShownText.line(removed.path("relay").asText())
                  + ". Its operator ends them with 'bridle harp parties revoke approver "
                  + approver
                  + "'.");
      default -> Optional.of(ShownText.line(removed.path("remaining_access").asText()));
    };
  }
}

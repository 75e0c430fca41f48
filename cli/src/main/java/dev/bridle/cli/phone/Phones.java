package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import java.util.ArrayList;
import java.util.List;

/** The phones of a server. */
final class Phones {
  static final String PATH = "/v1/approval-devices";
  private static final int MOST = 1000;

  private final RestClient client;

  Phones(RestClient client) {
    this.client = client;
  }

  /** Returns all, newest first; those that were removed too. */
  List<JsonNode> all() {
    List<JsonNode> rows = new ArrayList<>();
    client.rows(PATH, MOST, rows::add);
    return rows;
  }

  static boolean isRemoved(JsonNode device) {
    return device.path("revoked_at").isTextual();
  }

  /**
   * Returns the path of the phone that a person names.
   *
   * @param named its id, or its name if no other phone has that
   */
  String path(String named) {
    List<JsonNode> found =
        all().stream()
            .filter(device -> !isRemoved(device))
            .filter(
                device ->
                    device.path("id").asText().equals(named)
                        || device.path("name").asText("").equals(named))
            .toList();
    if (found.size() != 1) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          (found.isEmpty() ? "No phone has" : found.size() + " phones have")
              + " the id or name "
              + ShownText.line(named)
              + ". 'bridle phone list' lists them with their ids.");
    }
    return PATH + "/" + RestClient.escape(found.get(0).path("id").asText());
  }
}

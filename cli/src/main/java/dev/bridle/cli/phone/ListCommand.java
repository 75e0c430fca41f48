package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Listing;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.ServerChoice;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.key.Base64Url;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the devices that answer agents' questions. */
@Command(
    name = "list",
    description = {
      "List the devices whose signed decisions answer agents' questions, newest first.",
      "The page shows the fingerprint of its own key below \"This phone\": compare them."
    },
    footer = {"%nExample:", "  bridle phone list --all"})
final class ListCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(names = "--all", description = "Those that were removed, too.")
  private boolean all;

  @Option(names = "--json", description = "Print each as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  ListCommand() {}

  @Override
  public void run() {
    try (Listing list =
        new Listing(
            spec.commandLine().getOut(),
            json,
            "ID",
            "NAME",
            "PERSON",
            "KEY FINGERPRINT",
            "ADDED AT",
            "ADDED BY",
            "REMOVED AT")) {
      for (JsonNode device : new Phones(server.connect()).all()) {
        if (all || !Phones.isRemoved(device)) {
          String[] cells = cells(device);
          list.add(
              json
                  ? device.toString()
                  : Stream.of(cells)
                      .filter(cell -> !cell.isEmpty())
                      .collect(Collectors.joining("  ")),
              cells);
        }
      }
    }
  }

  private static String[] cells(JsonNode device) {
    return Stream.of(
            device.path("id").asText(""),
            device.path("name").asText(""),
            device.path("principal").asText(""),
            fingerprint(device.path("signing_key").asText("")),
            device.path("created_at").asText(""),
            device.path("enrolled_by").asText(""),
            Phones.isRemoved(device) ? device.path("revoked_at").asText() : "")
        .map(ShownText::line)
        .toArray(String[]::new);
  }

  private static String fingerprint(String key) {
    return Base64Url.decode(key).map(bytes -> Sha256.of(bytes).toString()).orElse("");
  }
}

package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Names a phone. */
@Command(
    name = "rename",
    description = "Give a phone another name in lists. Nothing that it has signed changes.",
    footer = {"%nExample:", "  bridle phone rename 'my phone' 'old phone'"})
final class RenameCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(index = "0", paramLabel = "PHONE", description = "Its id, or its name.")
  private String phone = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "Its new name.")
  private String name = "";

  /** Creates the command; called by picocli. */
  RenameCommand() {}

  @Override
  public void run() {
    RestClient client = server.connect();
    JsonNode renamed =
        client.change(
            "PATCH",
            new Phones(client).path(phone),
            JsonLines.object().put("name", name),
            UUID.randomUUID().toString());
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        "Renamed: "
            + renamed.path("id").asText()
            + " is "
            + ShownText.line(renamed.path("name").asText()));
    out.flush();
  }
}

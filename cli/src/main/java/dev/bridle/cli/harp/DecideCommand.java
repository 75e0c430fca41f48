package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.ShownText;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends a whole decision to the server that asks. */
@Command(
    name = "decide",
    description = {
      "Send a decision in a file, as 'bridle harp approve --out' writes it, to the server that"
          + " asks.",
      "The server verifies it at once, and says what is wrong with it; one that is not valid leaves"
          + " the request open. A repeat changes nothing."
    },
    footer = {
      "%nExample:",
      "  bridle harp approve --keys phone.keys --approver phone --request ID --scope session"
          + " --out d.json",
      "  bridle harp decide --decision d.json --relay https://bridle.example:8085"
    })
final class DecideCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private RelayChoice relay;

  @Option(names = "--decision", paramLabel = "FILE", required = true, description = "The decision.")
  private Path file = Path.of("");

  /** Creates the command; called by picocli. */
  DecideCommand() {}

  @Override
  public void run() {
    ObjectNode decision = HarpFiles.object(file);
    String state = relay.connect().submit("/v1/decision", decision).at("/body/state").asText();
    PrintWriter err = spec.commandLine().getErr();
    err.println("request " + ShownText.line(decision.path("requestId").asText()) + ": " + state);
    err.flush();
  }
}

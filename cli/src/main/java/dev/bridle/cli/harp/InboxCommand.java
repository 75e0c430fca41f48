package dev.bridle.cli.harp;

import dev.bridle.cli.console.ShownText;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists what waits for an approver at a relay. */
@Command(
    name = "inbox",
    description = {
      "List the requests that wait for an approver at a relay, oldest first.",
      "What they are about is sealed: --keys opens and shows it, as 'bridle harp show' does."
    },
    footer = {
      "%nExamples:",
      "  bridle harp inbox --approver phone",
      "  bridle harp inbox --approver phone --keys phone.keys"
    })
final class InboxCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private RelayChoice relay;

  @Option(names = "--approver", paramLabel = "ID", required = true, description = "The approver.")
  private String approver = "";

  @Mixin private ShownRequests shown;

  /** Creates the command; called by picocli. */
  InboxCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    shown.prepare();
    List<GatewayEnvelope> items = new ArrayList<>();
    relay.connect().inbox(approver, items::add);
    items.forEach(item -> shown.print(item, out));
    if (items.isEmpty() && !shown.json()) {
      out.println("Nothing waits for " + ShownText.line(approver) + ".");
    }
    out.flush();
  }

  /** Returns a request as a line, without what is sealed. */
  static String line(GatewayEnvelope item) {
    var body = item.body();
    return ShownText.line(item.requestId())
        + "  "
        + ShownText.line(body.path("artifactType").asText())
        + "  until "
        + ShownText.line(body.path("expiresAt").asText())
        + "  "
        + ShownText.line(body.at("/metadata/requestLabel").asText());
  }
}

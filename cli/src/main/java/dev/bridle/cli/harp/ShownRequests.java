package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.console.StyledLine;
import dev.bridle.harp.error.HarpException;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options that say how requests at a relay are printed. */
final class ShownRequests {
  @ArgGroup(exclusive = false, heading = "To open what is sealed:%n")
  private KeyOptions keys;

  @Option(names = "--json", description = "Print each as a line of JSON, as the relay has it.")
  private boolean json;

  /** Returns whether each is a line of JSON. */
  boolean json() {
    return json;
  }

  /** Checks the options, and asks for the passphrase of the keys before anything is printed. */
  void prepare() {
    if (json && keys != null) {
      throw new CommandFailed(
          ExitCodes.USAGE,
          "--json prints what the relay has, which is sealed; 'bridle harp show --json' opens a"
              + " request.");
    }
    Optional.ofNullable(keys).ifPresent(KeyOptions::open);
  }

  /** Prints a request as a line, and what it is about where there are keys that open it. */
  void print(GatewayEnvelope item, PrintWriter out) {
    out.println(json ? item.json().toString() : InboxCommand.line(item));
    if (keys != null) {
      try {
        StyledLine.print(out, ShownArtifact.lines(AskedArtifact.open(item, keys)));
      } catch (HarpException e) {
        // One request that is another device's, or was changed, does not hide the others.
        out.println(
            "can't be opened: " + e.code().spelled() + ": " + ShownText.line(e.getMessage()));
      }
    }
    out.flush();
  }
}

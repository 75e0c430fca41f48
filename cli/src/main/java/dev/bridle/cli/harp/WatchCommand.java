package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.harp.gateway.GatewayEnvelope;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows requests of an approver at a relay as they come. */
@Command(
    name = "watch",
    description = {
      "Show the requests for an approver at a relay as they come, until interrupted.",
      "Begins with those that wait, and goes on after a lost connection. What they are about is"
          + " sealed: --keys opens and shows it, as 'bridle harp show' does."
    },
    footer = {"%nExample:", "  bridle harp watch --approver phone --api-key-file phone.token"})
final class WatchCommand implements Runnable {
  private static final int MOST_REMEMBERED = 10_000;

  @Spec private CommandSpec spec;
  @Mixin private RelayChoice relay;

  @Option(names = "--approver", paramLabel = "ID", required = true, description = "The approver.")
  private String approver = "";

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "End after so many requests (default: never).")
  private Optional<Integer> count = Optional.empty();

  @Option(
      names = "--idle-timeout",
      paramLabel = "TIME",
      defaultValue = "2m",
      description =
          "Connect anew if the relay sends nothing for so long (default: 2m; a relay sends a ping"
              + " each 30 seconds, or as its --harp-ping says).")
  private Duration idleTimeout = Duration.ofMinutes(2);

  @Mixin private ShownRequests requests;

  /** A new connection begins with all that waits: those that were shown are not shown again. */
  private final Set<String> shown = Collections.newSetFromMap(new Newest());

  private int printed;

  /** Creates the command; called by picocli. */
  WatchCommand() {}

  @Override
  public void run() {
    if (idleTimeout.isZero()) {
      throw new CommandFailed(ExitCodes.USAGE, "--idle-timeout must be longer than 0s.");
    }
    requests.prepare();
    PrintWriter err = spec.commandLine().getErr();
    relay
        .connect()
        .watch(
            approver,
            idleTimeout,
            notice -> {
              err.println(notice);
              err.flush();
            },
            this::show);
  }

  /** Shows a message, and returns whether to go on. */
  private boolean show(GatewayEnvelope message) {
    if (message.type().equals("approval.request")
        && shown.add(message.messageId().orElse(message.requestId()))) {
      requests.print(message, spec.commandLine().getOut());
      printed++;
    }
    return count.isEmpty() || printed < count.get();
  }

  private static final class Newest extends LinkedHashMap<String, Boolean> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
      return size() > MOST_REMEMBERED;
    }
  }
}

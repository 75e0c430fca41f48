package dev.bridle.cli.phone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tests the way to a phone. */
@Command(
    name = "test",
    description = {
      "Send a phone a test, without a question of an agent, and wait until it has received it.",
      "The page shows \"Test from your server\" with the time, if the server's key has signed it.",
      "",
      "Exit codes: 0 the phone has received it; 13 not yet: it shows the test once its page is"
          + " opened."
    },
    footer = {"%nExample:", "  bridle phone test 'my phone' --timeout 10s"})
final class TestCommand implements Callable<Integer> {
  private static final long POLL_MILLIS = 300;

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "PHONE", description = "Its id, or its name.")
  private String phone = "";

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "Wait so long for the phone (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ofSeconds(60);

  @Option(names = "--json", description = "Print the test as a line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  TestCommand() {}

  @Override
  public Integer call() {
    RestClient client = server.connect();
    String path = new Phones(client).path(phone) + "/test";
    JsonNode test = client.post(path, JsonLines.object(), UUID.randomUUID().toString());
    Instant end = Instant.now().plus(timeout);
    progress(test);
    String sent = test.path("notice_id").asText();
    while (!isReceived(test) && Instant.now().isBefore(end)) {
      pause();
      test = client.get(path);
      if (!test.path("notice_id").asText().equals(sent)) {
        throw new CommandFailed(
            ExitCodes.FAILED,
            test.has("notice_id")
                ? "Another test of the phone was sent meanwhile. Run it again."
                : "The phone was removed meanwhile.");
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? test.toString() : sentence(test));
    out.flush();
    return isReceived(test) ? ExitCodes.DONE : ExitCodes.PHONE_NOT_REACHED;
  }

  private void progress(JsonNode test) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        isConnected(test)
            ? "Sent. Waiting for " + name() + "…"
            : name() + " is not connected: open its page. Waiting for it…");
    err.flush();
  }

  private String sentence(JsonNode test) {
    if (isReceived(test)) {
      Duration took = Duration.between(time(test, "sent_at"), time(test, "received_at"));
      return String.format(
          Locale.ROOT, "%s has received the test after %.1f s.", name(), took.toMillis() / 1000.0);
    }
    if (isConnected(test)) {
      return "Not received: "
          + name()
          + " is connected, and has not acknowledged the test. Reload its page; if the server's old"
          + " receipt keys were ended, or one was declared compromised, pair the phone anew.";
    }
    return "Not received yet: "
        + name()
        + " is not connected at the moment"
        + (test.path("last_seen_at").isTextual()
            ? ", and was last seen at " + test.path("last_seen_at").asText()
            : "")
        + ". It shows the test once its page is opened.";
  }

  private String name() {
    return ShownText.line(phone);
  }

  private static boolean isReceived(JsonNode test) {
    return test.path("received_at").isTextual();
  }

  private static boolean isConnected(JsonNode test) {
    return test.path("connected").asBoolean();
  }

  private static Instant time(JsonNode test, String member) {
    return Instant.parse(test.path(member).asText());
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(ExitCodes.FAILED, "Interrupted.", e);
    }
  }
}

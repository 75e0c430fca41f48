package dev.bridle.cli.redact;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.Confirmation;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Erases the content of messages, artifacts, events and whole tasks. */
@Command(
    name = "redact",
    description = {
      "Erase content for good: of messages, artifacts, events, or all of a task that has ended.",
      "Who, when and in which order stay, and receipts still verify. Copies in the storage are",
      "erased, too; backups and exports that were made before still have the content, and so has",
      "whoever has read it."
    },
    footer = {
      "%nExamples:",
      "  bridle redact --message message_01J9 --reason 'posted by mistake'",
      "  bridle redact --task task_01J9 --yes",
      "  bridle redaction list"
    })
public final class RedactCommand implements Runnable {
  /** The maximum number of items of a request. */
  private static final int ITEMS_AT_ONCE = 50;

  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final String CONFIRMATION = "redact";

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(
      names = "--message",
      paramLabel = "ID",
      description = "A message, with its copies in forked sessions; can be repeated.")
  private List<String> messages = List.of();

  @Option(names = "--artifact", paramLabel = "ID", description = "An artifact; can be repeated.")
  private List<String> artifacts = List.of();

  @Option(
      names = "--event",
      paramLabel = "ID",
      description = "An event of a task, with what has the same content; can be repeated.")
  private List<String> events = List.of();

  @Option(
      names = "--task",
      paramLabel = "ID",
      description = "Everything of a task that has ended; can be repeated.")
  private List<String> tasks = List.of();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "The reason, which is kept: it must not repeat the content.")
  private Optional<String> reason = Optional.empty();

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(names = "--no-wait", description = "Do not wait until the last stored copy is erased.")
  private boolean noWait;

  @Option(names = "--json", description = "Print each redaction as one line of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public RedactCommand() {}

  @Override
  public void run() {
    if (messages.isEmpty() && artifacts.isEmpty() && events.isEmpty() && tasks.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "Expected --message, --artifact, --event or --task.");
    }
    RestClient client = server.connect();
    List<ObjectNode> items = items();
    confirm(items.size());
    for (int at = 0; at < items.size(); at += ITEMS_AT_ONCE) {
      List<ObjectNode> some = items.subList(at, Math.min(items.size(), at + ITEMS_AT_ONCE));
      print(finished(client, redact(client, some)));
    }
  }

  private List<ObjectNode> items() {
    List<ObjectNode> items = new ArrayList<>();
    messages.forEach(id -> items.add(item("message", id)));
    artifacts.forEach(id -> items.add(item("artifact", id)));
    events.forEach(id -> items.add(item("event", id)));
    tasks.forEach(id -> items.add(item("task", id)));
    return items;
  }

  private static ObjectNode item(String object, String id) {
    return JsonLines.object().put("object", object).put("id", id);
  }

  /**
   * Nothing brings the content back, so a person is asked, and a script has to say that it knows.
   */
  private void confirm(int count) {
    if (yes) {
      return;
    }
    String ask =
        String.format(
            Locale.ROOT,
            "This erases the content of %d %s for good, with what has the same content and all"
                + " copies.%nType '%s' to continue: ",
            count,
            count == 1 ? "item" : "items",
            CONFIRMATION);
    if (!Confirmation.typed(spec, spec.commandLine().getOut(), ask, CONFIRMATION)) {
      throw new CommandFailed(ExitCodes.FAILED, "Nothing was redacted.");
    }
  }

  private JsonNode redact(RestClient client, List<ObjectNode> items) {
    ObjectNode body = JsonLines.object();
    ArrayNode list = body.putArray("items");
    items.forEach(list::add);
    reason.ifPresent(why -> body.put("reason", why));
    return client.post("/v1/redactions", body, UUID.randomUUID().toString());
  }

  private JsonNode finished(RestClient client, JsonNode made) {
    JsonNode redaction = made;
    String path = "/v1/redactions/" + RestClient.escape(made.path("id").asText());
    while (!noWait && redaction.path("status").asText().equals("running")) {
      try {
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandFailed(
            ExitCodes.FAILED, "Interrupted; the redaction continues without this command.");
      }
      redaction = client.get(path);
    }
    return redaction;
  }

  private void print(JsonNode redaction) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(redaction);
    } else {
      String id = redaction.path("id").asText();
      int resources = redaction.path("resources").asInt();
      if (redaction.path("status").asText().equals("done")) {
        String at = redaction.path("completed_at").asText();
        out.println(id + " erased the content of " + resources + " resources and their copies.");
        out.println("Backups and exports from before " + at + " still have it.");
      } else {
        out.println(
            id
                + " made the content of "
                + resources
                + " resources unreadable so far; the rest and stored copies are still being erased.");
      }
    }
    out.flush();
  }
}

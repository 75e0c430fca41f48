package dev.bridle.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.receipt.BundleFile;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.proof.receipt.Receipt;
import dev.bridle.proof.verify.OneLine;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Writes the log of a task, with its receipt and the keys, to a file. */
@Command(
    name = "record",
    description = {
      "Write the log of a task that has ended, with its receipt and the server's public keys, to a"
          + " file.",
      "'bridle replay FILE' replays it without the server."
    },
    footer = {"%nExample:", "  bridle replay record task_01J9 --output task.jsonl"})
public final class RecordCommand implements Runnable {
  /** The format of the file, as its header names it. */
  static final String FORMAT = "bridle-replay-1";

  /** The states in which a task has ended. */
  static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELED");

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(paramLabel = "TASK", description = "The id of the task.")
  private String task;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "FILE",
      description = "The file to write.")
  private Path output;

  /** Creates the command; called by picocli. */
  public RecordCommand() {}

  @Override
  public void run() {
    checkNothingBefore();
    RestClient client = server.connect();
    Receipt receipt = receipt(client);
    byte[] keys = client.bytes("/.well-known/receipt-keys.json");
    AtomicLong events = new AtomicLong();
    BundleFile.write(output, out -> events.set(write(client, receipt, keys, out)));
    spec.commandLine()
        .getOut()
        .println(
            output
                + ": "
                + events
                + " events of "
                + OneLine.of(receipt.identifiers().taskId())
                + ", with receipt "
                + OneLine.of(receipt.id()));
    spec.commandLine().getOut().flush();
  }

  /** What stands before `record` is for 'bridle replay', and would not be used. */
  private void checkNothingBefore() {
    ParseResult before = spec.commandLine().getParent().getParseResult();
    if (!before.matchedOptions().isEmpty() || !before.matchedPositionals().isEmpty()) {
      throw new ParameterException(spec.commandLine(), "Give all arguments after 'record'.");
    }
  }

  private Receipt receipt(RestClient client) {
    JsonNode found = client.get("/v1/tasks/" + RestClient.escape(task));
    String id = found.path("receipt_id").asText("");
    if (!found.path("receipt_id").isTextual() || id.isEmpty()) {
      throw new CommandFailed(ExitCodes.FAILED, withoutReceipt(found.path("status").asText()));
    }
    return ServerReceipt.read(client, id);
  }

  private String withoutReceipt(String status) {
    if (!ENDED.contains(status)) {
      return OneLine.of(
          "The task is "
              + status
              + ", and gets its receipt at its end. Run this again then; 'bridle task watch "
              + task
              + "' waits for it.");
    }
    return "The task has no receipt, so nothing says what its log has to be. Tasks get one unless"
        + " their submission or persona declines it, and once the server has a master key.";
  }

  private long write(RestClient client, Receipt receipt, byte[] keys, PrintWriter out) {
    out.print(
        line(
            JsonLines.object()
                .put("type", "header")
                .put("format", FORMAT)
                .put("task_id", receipt.identifiers().taskId())));
    out.print(typed("key_set", StrictJson.parse(keys)));
    out.print(typed("receipt", receipt.json()));
    AtomicLong events = new AtomicLong();
    client.lines(
        "/v1/tasks/" + RestClient.escape(task) + "/log",
        line -> {
          // The line is canonical, and its member is the first one.
          out.print("{\"event\":" + line + ",\"type\":\"event\"}\n");
          events.incrementAndGet();
        });
    return events.get();
  }

  private static String typed(String type, JsonNode content) {
    ObjectNode line = JsonLines.object().put("type", type);
    line.set(type, content);
    return line(line);
  }

  private static String line(JsonNode json) {
    return new String(CanonicalJson.bytes(json), UTF_8) + "\n";
  }
}

package dev.bridle.cli.log;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ResumingStream;
import dev.bridle.cli.rest.ServerChoice;
import dev.bridle.cli.rest.StreamEvent;
import dev.bridle.cli.run.UserServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a task did: prompt, messages, tool calls with input and output, approvals, end. */
@Command(
    name = "log",
    description = {
      "Show what a task did: what was said, each tool call with its input, who allowed it, and its"
          + " output, and how the task ended.",
      "",
      "Without --url, the server of 'bridle run' is asked, which is started if it does not run."
    },
    footer = {
      "%nExamples:",
      "  bridle log last",
      "  bridle log last --follow",
      "  bridle log task_01J9 --json --url http://127.0.0.1:8080 --api-key-file api.key"
    })
public final class LogCommand implements Callable<Integer> {
  private static final String LAST = "last";
  private static final Set<String> ENDED = Set.of("COMPLETED", "FAILED", "CANCELED");

  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Parameters(
      paramLabel = "TASK",
      description =
          "The task's id, or 'last': the newest task of the folder where an agent worked in it,"
              + " else of the server.")
  private String task = "";

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "The folder of 'last'. Default: the current one.")
  private Path folder = Path.of("").toAbsolutePath();

  @Option(
      names = "--data-dir",
      paramLabel = "DIRECTORY",
      description = "The data directory of 'bridle run', by default as there.")
  private Optional<Path> dataDir = Optional.empty();

  @Option(names = "--follow", description = "Go on until the task ends.")
  private boolean follow;

  @Option(
      names = "--thoughts",
      description =
          "Show where the agent reasoned, too. Its thoughts are internal: events have their size"
              + " alone, and 'bridle export' has their text.")
  private boolean thoughts;

  @Option(names = "--json", description = "Print the events as lines of JSON.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public LogCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Consumer<String> notices =
        notice -> {
          err.println("bridle: " + notice);
          err.flush();
        };
    RestClient client =
        server.isNamed()
            ? server.connect()
            : UserServer.client(dataDir, System.getenv(), server.namedKey(), notices);
    String id = task.equals(LAST) ? newest(client) : task;
    String path = "/v1/tasks/" + RestClient.escape(id);
    JsonNode found = client.get(path);
    TaskTimeline timeline = new TaskTimeline(out, thoughts, ZoneId.systemDefault());
    if (!json) {
      timeline.begin(found);
    }
    Consumer<StreamEvent> shown =
        event -> {
          if (json) {
            out.println(ShownText.json(event.body().toString()));
            out.flush();
          } else {
            timeline.event(event);
          }
        };
    boolean ended = ENDED.contains(found.path("status").asText());
    if (follow || ended) {
      new ResumingStream(client, path + "/stream", notices)
          .readWhile(
              event -> {
                shown.accept(event);
                return !event.endsTask();
              });
    } else {
      client.rows(
          path + "/events",
          Integer.MAX_VALUE,
          event ->
              shown.accept(
                  new StreamEvent(
                      event.path("id").asText(""), event.path("event").asText(""), event)));
    }
    JsonNode now = client.get(path);
    if (!json) {
      timeline.end(now, client.get("/v1/outcomes?task_id=" + RestClient.escape(id)).path("data"));
    }
    String status = now.path("status").asText();
    return follow && !status.equals("COMPLETED") ? ExitCodes.TASK_NOT_COMPLETED : ExitCodes.DONE;
  }

  private String newest(RestClient client) {
    return NewestTask.find(client, folder)
        .orElseThrow(
            () -> new CommandFailed(ExitCodes.FAILED, "There is no task yet at this server."));
  }
}

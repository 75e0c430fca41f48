package dev.bridle.cli.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows server information and capabilities; below it are the commands about agents of others. */
@Command(
    name = "runtime",
    description = {
      "Show server information and capabilities.",
      "The commands below list and test agents that 'bridle run' hosts."
    },
    subcommands = {ListRuntimesCommand.class, TestRuntimeCommand.class},
    footer = {
      "%nExamples:",
      "  bridle runtime --url http://127.0.0.1:8080",
      "  bridle runtime list",
      "  bridle runtime test -- opencode acp"
    })
public final class RuntimeCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private ServerChoice server;

  @Option(names = "--json", description = "Print two lines of JSON: runtime and capabilities.")
  private boolean json;

  /** Creates the command; called by picocli. */
  public RuntimeCommand() {}

  @Override
  public void run() {
    RestClient client = server.connect();
    JsonNode runtime = client.get("/v1/runtime");
    JsonNode capabilities = client.get("/v1/capabilities");
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(runtime);
      out.println(capabilities);
    } else {
      out.println(
          text(runtime, "adapter")
              + " "
              + text(runtime, "version")
              + ", "
              + text(runtime, "protocol_version"));
      capabilities
          .path("capabilities")
          .forEach(each -> out.println("  " + text(each, "id") + ": " + text(each, "description")));
    }
    out.flush();
  }

  private static String text(JsonNode of, String member) {
    return ShownText.line(of.path(member).asText());
  }
}

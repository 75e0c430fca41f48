package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The group of commands about quotas. */
@Command(
    name = "quota",
    description = "Make, change, show and list quotas, which personas and workspaces name.",
    footer = {"%nExample:", "  bridle quota list"})
public final class QuotaCommand implements Runnable {
  private static final String PATH = "/v1/quotas";
  private static final String[] MEMBERS = {"scope", "limits", "usage"};

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public QuotaCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }

  @Command(
      name = "get",
      description = "Show a quota.",
      footer = {"%nExample:", "  bridle quota get quota_01J9 --json"})
  void get(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "QUOTA", description = "The quota's id.") String id) {
    shown.one(
        server.connect().get(PATH + "/" + RestClient.escape(id)),
        spec.commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "create",
      description = "Make a quota.",
      footer = {
        "%nExample:",
        "  bridle quota create --scope workspace --limit tasks=100 --limit concurrency=4"
      })
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--scope",
              paramLabel = "SCOPE",
              required = true,
              description = "persona, workspace, tenant or organization.")
          String scope,
      @Option(
              names = "--limit",
              paramLabel = "NAME=NUMBER",
              required = true,
              description = "A ceiling, such as tasks=100; may be given several times.")
          Map<String, Double> limits,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Further members, as a JSON object.")
          Optional<String> members) {
    RestClient client = server.connect();
    ObjectNode body = Shown.object(members, "--set");
    ObjectNode ceilings = body.put("scope", scope).putObject("limits");
    limits.forEach(ceilings::put);
    shown.one(
        client.post(PATH, body, UUID.randomUUID().toString()),
        spec.commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "list",
      description = "List quotas, newest first.",
      footer = {"%nExample:", "  bridle quota list --limit 10"})
  void list(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--limit",
              paramLabel = "N",
              description = "How many at most (default: ${DEFAULT-VALUE}).",
              defaultValue = "50")
          int limit) {
    shown.all(server.connect(), PATH, limit, spec.commandLine().getOut(), MEMBERS);
  }

  @Command(
      name = "update",
      description = {
        "Change the members that --set names.",
        "null clears a member; metadata and lists are replaced whole."
      },
      footer = {
        "%nExample:",
        "  bridle quota update quota_01J9 --set '{\"metadata\":{\"team\":\"core\"}}'"
      })
  void update(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "QUOTA", description = "The quota's id.") String id,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              required = true,
              description = "The members to change, as a JSON object.")
          String members) {
    shown.one(
        server
            .connect()
            .patch(
                PATH + "/" + RestClient.escape(id),
                Shown.object(Optional.of(members), "--set"),
                UUID.randomUUID().toString()),
        spec.commandLine().getOut(),
        MEMBERS);
  }
}

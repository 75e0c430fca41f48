package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The group of commands about who sends and receives messages of a server's relay. */
@Command(
    name = "parties",
    description = {
      "Administer the enforcers and approvers of a server's relay.",
      "An enforcer's id belongs to the key that first uses it; an approver is created here. The"
          + " key needs the scope harp:admin."
    },
    subcommands = {
      PartiesCommand.Create.class,
      PartiesCommand.ListAll.class,
      PartiesCommand.Revoke.class
    },
    footer = {
      "%nExamples:",
      "  bridle harp parties create phone --actor ada",
      "  bridle harp parties revoke approver phone"
    })
final class PartiesCommand extends CommandGroup {
  private static final int MOST = 100_000;

  /** Creates the command; called by picocli. */
  PartiesCommand() {}

  private static String line(JsonNode party) {
    String end = party.path("revoked_at").asText("");
    return party.path("role").asText()
        + "  "
        + ShownText.line(party.path("id").asText())
        + "  of "
        + ShownText.line(party.path("actor").asText())
        + (end.isEmpty() ? "" : "  revoked " + end);
  }

  /** Creates an approver. */
  @Command(
      name = "create",
      description = "Create an approver, which the keys of one actor act as.",
      footer = {"%nExample:", "  bridle harp parties create phone --actor ada"})
  static final class Create implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private ServerChoice server;

    @Parameters(paramLabel = "APPROVER", description = "The approver's id.")
    private String approver = "";

    @Option(
        names = "--actor",
        paramLabel = "ACTOR",
        description = "The actor of its keys (default: this key's).")
    private Optional<String> actor = Optional.empty();

    /** Creates the command; called by picocli. */
    Create() {}

    @Override
    public void run() {
      var body = JsonLines.object().put("approver_id", approver);
      actor.ifPresent(id -> body.put("actor", id));
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          line(server.connect().post("/v1/harp/approvers", body, UUID.randomUUID().toString())));
      out.flush();
    }
  }

  /** Lists all. */
  @Command(
      name = "list",
      description = "List enforcers and approvers, revoked ones too.",
      footer = {"%nExample:", "  bridle harp parties list"})
  static final class ListAll implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private ServerChoice server;

    @Option(names = "--json", description = "Print each as a line of JSON.")
    private boolean json;

    /** Creates the command; called by picocli. */
    ListAll() {}

    @Override
    public void run() {
      PrintWriter out = spec.commandLine().getOut();
      RestClient client = server.connect();
      client.rows(
          "/v1/harp/parties", MOST, party -> out.println(json ? party.toString() : line(party)));
      out.flush();
    }
  }

  /** Revokes one. */
  @Command(
      name = "revoke",
      description = {
        "Revoke an enforcer or an approver: it sends and receives nothing more.",
        "Requests of a revoked enforcer that wait for a decision are cancelled."
      },
      footer = {"%nExample:", "  bridle harp parties revoke approver phone"})
  static final class Revoke implements Runnable {
    @Spec private CommandSpec spec;
    @Mixin private ServerChoice server;

    @Parameters(index = "0", paramLabel = "ROLE", description = "approver or enforcer.")
    private String role = "";

    @Parameters(index = "1", paramLabel = "ID", description = "Its id.")
    private String id = "";

    /** Creates the command; called by picocli. */
    Revoke() {}

    @Override
    public void run() {
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          line(
              server
                  .connect()
                  .post(
                      "/v1/harp/parties/revoke",
                      JsonLines.object().put("role", role).put("party_id", id),
                      UUID.randomUUID().toString())));
      out.flush();
    }
  }
}

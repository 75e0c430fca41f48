package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of commands about branches. */
@Command(
    name = "branch",
    description = "Manage branches of sessions.",
    subcommands = GetResourceCommand.class,
    footer = {"%nExample:", "  bridle branch list session_01J9"})
public final class BranchCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public BranchCommand() {
    super("/v1/branches", "kind", "base_ref", "created_at");
  }

  @Command(
      name = "create",
      description = "Create a branch of a session.",
      footer = {"%nExample:", "  bridle branch create session_01J9 --kind session --base-ref main"})
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String session,
      @Option(
              names = "--kind",
              paramLabel = "KIND",
              required = true,
              description = "What is branched: workspace, session, task or sandbox.")
          String kind,
      @Option(
              names = "--base-ref",
              paramLabel = "REF",
              required = true,
              description = "The reference that the branch starts from.")
          String base,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("kind", kind).put("base_ref", base);
    shown.one(
        server.connect().post(branches(session), body, UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        members());
  }

  @Command(
      name = "list",
      description = "List the branches of a session, newest first.",
      footer = {"%nExample:", "  bridle branch list session_01J9"})
  void listOf(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String session,
      @Option(
              names = "--limit",
              paramLabel = "N",
              description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
              defaultValue = "50")
          int limit) {
    shown.all(server.connect(), branches(session), limit, spec().commandLine().getOut(), members());
  }

  private static String branches(String session) {
    return "/v1/sessions/" + RestClient.escape(session) + "/branches";
  }
}

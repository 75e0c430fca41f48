package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The group of commands about memories. */
@Command(
    name = "memory",
    description = "Manage memories of personas, sessions, workspaces and the tenant.",
    subcommands = {GetResourceCommand.class, DeleteResourceCommand.class},
    footer = {"%nExample:", "  bridle memory list --session session_01J9"})
public final class MemoryCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public MemoryCommand() {
    super("/v1/memories", "scope", "owner_id", "content");
  }

  @Command(
      name = "create",
      description = "Create a memory.",
      footer = {
        "%nExample:",
        "  bridle memory create --scope workspace --owner default --text 'Reviews end on Friday'"
      })
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--scope",
              paramLabel = "SCOPE",
              required = true,
              description = "The scope: persona, session, workspace or tenant.")
          String scope,
      @Option(
              names = "--owner",
              paramLabel = "ID",
              required = true,
              description = "The owner's id; for a tenant, its name.")
          String owner,
      @Option(names = "--text", paramLabel = "TEXT", description = "The text of the memory.")
          Optional<String> text,
      @Option(
              names = "--json-content",
              paramLabel = "JSON",
              description = "The content as a JSON object, instead of text.")
          Optional<String> content,
      @Option(
              names = "--provenance",
              paramLabel = "JSON",
              description = "The provenance, as a JSON object (default: the command line).")
          Optional<String> provenance) {
    if (text.isPresent() == content.isPresent()) {
      throw new ParameterException(
          spec().commandLine(), "Expected exactly one of --text and --json-content.");
    }
    ObjectNode body = JsonLines.object().put("scope", scope).put("owner_id", owner);
    text.ifPresent(value -> body.put("content", value));
    content.ifPresent(json -> body.set("content", Shown.object(content, "--json-content")));
    body.set(
        "provenance",
        provenance.isPresent()
            ? Shown.object(provenance, "--provenance")
            : JsonLines.object().put("source", "bridle memory create"));
    create(server, shown, body);
  }

  @Command(
      name = "list",
      description = "List memories, newest first.",
      footer = {"%nExample:", "  bridle memory list --limit 10"})
  void list(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--session",
              paramLabel = "ID",
              description = "Show only results of this session.")
          Optional<String> session,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              description = "Show only results of this workspace.")
          Optional<String> workspace,
      @Option(
              names = "--limit",
              paramLabel = "N",
              description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
              defaultValue = "50")
          int limit) {
    list(server, shown, filter(session, workspace), limit);
  }

  private static String filter(Optional<String> session, Optional<String> workspace) {
    StringBuilder list = new StringBuilder();
    session.ifPresent(id -> list.append("?session_id=").append(RestClient.escape(id)));
    workspace.ifPresent(
        id ->
            list.append(session.isPresent() ? "&" : "?")
                .append("workspace_id=")
                .append(RestClient.escape(id)));
    return list.toString();
  }
}

package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The group of commands about memories. */
@Command(
    name = "memory",
    description =
        "Make, show, list and delete memories of personas, sessions, workspaces and the tenant.",
    footer = {"%nExample:", "  bridle memory list --session session_01J9"})
public final class MemoryCommand implements Runnable {
  private static final String PATH = "/v1/memories";
  private static final String[] MEMBERS = {"scope", "owner_id", "content"};

  @Spec private CommandSpec spec;

  /** Made by picocli. */
  public MemoryCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "A command is missing; expected one of those below.");
  }

  @Command(
      name = "get",
      description = "Show a memory.",
      footer = {"%nExample:", "  bridle memory get memory_01J9 --json"})
  void get(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "MEMORY", description = "The memory's id.") String id) {
    shown.one(
        server.connect().get(PATH + "/" + RestClient.escape(id)),
        spec.commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "create",
      description = "Make a memory.",
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
              description = "persona, session, workspace or tenant.")
          String scope,
      @Option(
              names = "--owner",
              paramLabel = "ID",
              required = true,
              description = "The owner's id; for a tenant its name.")
          String owner,
      @Option(names = "--text", paramLabel = "TEXT", description = "What is to be remembered.")
          Optional<String> text,
      @Option(
              names = "--json-content",
              paramLabel = "JSON",
              description = "An object to remember, instead of text.")
          Optional<String> content,
      @Option(
              names = "--provenance",
              paramLabel = "JSON",
              description = "Where it comes from, as a JSON object (default: the command line).")
          Optional<String> provenance) {
    RestClient client = server.connect();
    if (text.isPresent() == content.isPresent()) {
      throw new ParameterException(spec.commandLine(), "Give --text, or else --json-content.");
    }
    ObjectNode body = JsonLines.object().put("scope", scope).put("owner_id", owner);
    text.ifPresent(words -> body.put("content", words));
    content.ifPresent(json -> body.set("content", Shown.object(content, "--json-content")));
    body.set(
        "provenance",
        provenance.isPresent()
            ? Shown.object(provenance, "--provenance")
            : JsonLines.object().put("source", "bridle memory create"));
    shown.one(
        client.post(PATH, body, UUID.randomUUID().toString()),
        spec.commandLine().getOut(),
        MEMBERS);
  }

  @Command(
      name = "list",
      description = "List memories, newest first.",
      footer = {"%nExample:", "  bridle memory list --limit 10"})
  void list(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(names = "--session", paramLabel = "ID", description = "Only those of this session.")
          Optional<String> session,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              description = "Only those of this workspace.")
          Optional<String> workspace,
      @Option(
              names = "--limit",
              paramLabel = "N",
              description = "How many at most (default: ${DEFAULT-VALUE}).",
              defaultValue = "50")
          int limit) {
    shown.all(
        server.connect(),
        filtered(session, workspace),
        limit,
        spec.commandLine().getOut(),
        MEMBERS);
  }

  private static String filtered(Optional<String> session, Optional<String> workspace) {
    StringBuilder list = new StringBuilder(PATH);
    session.ifPresent(id -> list.append("?session_id=").append(RestClient.escape(id)));
    workspace.ifPresent(
        id ->
            list.append(session.isPresent() ? "&" : "?")
                .append("workspace_id=")
                .append(RestClient.escape(id)));
    return list.toString();
  }

  @Command(
      name = "delete",
      description = "Delete a memory, for good.",
      footer = {"%nExample:", "  bridle memory delete memory_01J9"})
  void delete(
      @Mixin ServerChoice server,
      @Parameters(paramLabel = "MEMORY", description = "The memory's id.") String id) {
    server.connect().delete(PATH + "/" + RestClient.escape(id), UUID.randomUUID().toString());
    spec.commandLine().getOut().println("Memory " + id + " is deleted.");
  }
}

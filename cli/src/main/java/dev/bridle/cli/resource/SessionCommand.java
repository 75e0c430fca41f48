package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.ServerChoice;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of commands about sessions. */
@Command(
    name = "session",
    description = "Manage sessions.",
    subcommands = {
      GetResourceCommand.class,
      ListInWorkspaceCommand.class,
      UpdateResourceCommand.class,
      SessionMessageCommand.class
    },
    footer = {"%nExample:", "  bridle session list --workspace default"})
public final class SessionCommand extends ResourceGroup {
  /** Creates the command; called by picocli. */
  public SessionCommand() {
    super("/v1/sessions", "workspace_id", "state", "created_at", "persona_id");
  }

  @Command(
      name = "create",
      description = "Create a session.",
      footer = {"%nExample:", "  bridle session create --workspace default --vault vault_01J9"})
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              required = true,
              description = "The workspace of the session.")
          String workspace,
      @Option(names = "--persona", paramLabel = "ID", description = "The persona of its tasks.")
          Optional<String> persona,
      @Option(
              names = "--vault",
              paramLabel = "ID",
              description = "A vault whose secrets its tasks may use; can be repeated.")
          List<String> vaults,
      @Option(
              names = "--memory",
              paramLabel = "ID",
              description = "A memory that its tasks may read; can be repeated.")
          List<String> memories,
      @Option(
              names = "--skill",
              paramLabel = "ID",
              description = "A skill that its tasks may call; can be repeated.")
          List<String> skills,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Additional members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("workspace_id", workspace);
    persona.ifPresent(id -> body.put("persona_id", id));
    add(body, "vault_ids", vaults);
    add(body, "memory_ids", memories);
    add(body, "skill_ids", skills);
    create(server, shown, body);
  }

  /** Adds ids to a list of the body; picocli passes null for an absent option. */
  private static void add(ObjectNode body, String list, List<String> ids) {
    Optional.ofNullable(ids).ifPresent(all -> all.forEach(body.withArray(list)::add));
  }

  @Command(
      name = "close",
      description =
          "Close a session: it rejects new tasks and messages, and running tasks complete.",
      footer = {"%nExample:", "  bridle session close session_01J9"})
  void close(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String id) {
    perform(server, shown, id, "close");
  }

  @Command(
      name = "fork",
      description = "Create a session that starts with a copy of this session's messages.",
      footer = {"%nExample:", "  bridle session fork session_01J9 --at event_01J9"})
  void fork(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String id,
      @Option(
              names = "--at",
              paramLabel = "EVENT",
              description = "Copy messages up to this event (default: all messages).")
          Optional<String> at,
      @Option(
              names = "--branch",
              paramLabel = "ID",
              description = "The branch of the new session (default: a new one).")
          Optional<String> branch) {
    ObjectNode body = JsonLines.object();
    at.ifPresent(event -> body.put("at_event_id", event));
    branch.ifPresent(of -> body.put("branch_id", of));
    perform(server, shown, id, "fork", body, members());
  }

  @Command(
      name = "truncate",
      description = "Remove the later part of a session's transcript; its events stay.",
      footer = {"%nExample:", "  bridle session truncate session_01J9 --keep-first 3"})
  void truncate(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String id,
      @Option(
              names = "--keep-first",
              paramLabel = "N",
              required = true,
              description = "The number of turns to keep, counted from the first.")
          int keepFirst,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              description = "The reason, which the event includes.")
          Optional<String> reason) {
    ObjectNode body = JsonLines.object().put("keep_first", keepFirst);
    reason.ifPresent(value -> body.put("reason", value));
    perform(
        server, shown, id, "truncate", body, "session_id", "kept_turn_count", "removed_turn_count");
  }
}

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
    description = "Make, change, show, list, fork, truncate and close sessions.",
    subcommands = {
      GetResourceCommand.class,
      ListInWorkspaceCommand.class,
      UpdateResourceCommand.class,
      SessionMessageCommand.class
    },
    footer = {"%nExample:", "  bridle session list --workspace default"})
public final class SessionCommand extends ResourceGroup {
  /** Made by picocli. */
  public SessionCommand() {
    super("/v1/sessions", "workspace_id", "state", "created_at", "persona_id");
  }

  @Command(
      name = "create",
      description = "Make a session.",
      footer = {"%nExample:", "  bridle session create --workspace default --vault vault_01J9"})
  void create(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Option(
              names = "--workspace",
              paramLabel = "ID",
              required = true,
              description = "The workspace that it belongs to.")
          String workspace,
      @Option(
              names = "--persona",
              paramLabel = "ID",
              description = "The persona that its tasks run as.")
          Optional<String> persona,
      @Option(
              names = "--vault",
              paramLabel = "ID",
              description = "A vault whose secrets its tasks may use. More than once.")
          List<String> vaults,
      @Option(
              names = "--memory",
              paramLabel = "ID",
              description = "A memory that its tasks may read. More than once.")
          List<String> memories,
      @Option(
              names = "--skill",
              paramLabel = "ID",
              description = "A skill that its tasks may call. More than once.")
          List<String> skills,
      @Option(
              names = "--set",
              paramLabel = "JSON",
              description = "Further members, as a JSON object.")
          Optional<String> members) {
    ObjectNode body = Shown.object(members, "--set");
    body.put("workspace_id", workspace);
    persona.ifPresent(id -> body.put("persona_id", id));
    add(body, "vault_ids", vaults);
    add(body, "memory_ids", memories);
    add(body, "skill_ids", skills);
    make(server, shown, body);
  }

  /** Adds to a list of the body; picocli gives null for an option that is not there. */
  private static void add(ObjectNode body, String list, List<String> ids) {
    Optional.ofNullable(ids).ifPresent(all -> all.forEach(body.withArray(list)::add));
  }

  @Command(
      name = "close",
      description = "Close a session: it takes nothing more, and running tasks go on to their end.",
      footer = {"%nExample:", "  bridle session close session_01J9"})
  void close(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String id) {
    does(server, shown, id, "close");
  }

  @Command(
      name = "fork",
      description = "Make a session that begins with what was said in this one.",
      footer = {"%nExample:", "  bridle session fork session_01J9 --at event_01J9"})
  void fork(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String id,
      @Option(
              names = "--at",
              paramLabel = "EVENT",
              description = "The event up to which messages are copied (default: all of them).")
          Optional<String> at,
      @Option(
              names = "--branch",
              paramLabel = "ID",
              description = "The branch of the new session (default: a new one).")
          Optional<String> branch) {
    ObjectNode body = JsonLines.object();
    at.ifPresent(event -> body.put("at_event_id", event));
    branch.ifPresent(of -> body.put("branch_id", of));
    does(server, shown, id, "fork", body, members());
  }

  @Command(
      name = "truncate",
      description = "Drop the later part of a session's transcript; its events stay.",
      footer = {"%nExample:", "  bridle session truncate session_01J9 --keep-first 3"})
  void truncate(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String id,
      @Option(
              names = "--keep-first",
              paramLabel = "N",
              required = true,
              description = "How many turns stay, from the first one on.")
          int keepFirst,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for those who are told.")
          Optional<String> reason) {
    ObjectNode body = JsonLines.object().put("keep_first", keepFirst);
    reason.ifPresent(why -> body.put("reason", why));
    does(
        server, shown, id, "truncate", body, "session_id", "kept_turn_count", "removed_turn_count");
  }
}

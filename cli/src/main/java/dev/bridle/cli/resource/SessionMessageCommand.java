package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandGroup;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.RestClient;
import dev.bridle.cli.rest.ServerChoice;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group of commands about the messages of a session. */
@Command(
    name = "message",
    description = "List and add messages of a session.",
    footer = {"%nExample:", "  bridle session message list session_01J9"})
final class SessionMessageCommand extends CommandGroup {
  private static final String[] MEMBERS = {"created_at", "role", "parts"};

  @Command(
      name = "list",
      description = "List a session's messages, oldest first.",
      footer = {"%nExample:", "  bridle session message list session_01J9"})
  void list(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String session,
      @Option(
              names = "--limit",
              paramLabel = "N",
              description = "The maximum number of results (default: ${DEFAULT-VALUE}).",
              defaultValue = "50")
          int limit) {
    shown.all(server.connect(), path(session), limit, spec().commandLine().getOut(), MEMBERS);
  }

  @Command(
      name = "add",
      description = "Add a message to a session, outside any task.",
      footer = {"%nExample:", "  bridle session message add session_01J9 --text 'one more thing'"})
  void add(
      @Mixin ServerChoice server,
      @Mixin Shown shown,
      @Parameters(paramLabel = "SESSION", description = "The session's id.") String session,
      @Option(
              names = "--text",
              paramLabel = "TEXT",
              required = true,
              description = "The text of the message.")
          String text) {
    ObjectNode body = JsonLines.object();
    ObjectNode message = body.putObject("message").put("role", "user");
    message
        .putArray("parts")
        .addObject()
        .put("type", "text")
        .put("text", text)
        .put("visibility", "public");
    shown.one(
        server.connect().post(path(session), body, UUID.randomUUID().toString()),
        spec().commandLine().getOut(),
        MEMBERS);
  }

  private static String path(String session) {
    return "/v1/sessions/" + RestClient.escape(session) + "/messages";
  }
}

package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** What is special about the commands of permission requests and standing grants. */
final class PermissionOverrides {
  /** The columns of a permission request. */
  static final Column[] REQUEST = {
    new Column("STATUS", 8, request -> text(request, "/status")),
    new Column("EXPIRES AT", 0, request -> text(request, "/request/expires_at")),
    new Column("TASK", 0, request -> text(request, "/task_id")),
    new Column("ACTION", 0, PermissionOverrides::action)
  };

  private static final Column[] GRANT = {
    new Column("SCOPE", 12, grant -> text(grant, "/scope")),
    new Column("SESSION", 0, grant -> text(grant, "/session_id")),
    new Column("STATE", 0, PermissionOverrides::state),
    new Column("COVERS", 0, grant -> text(grant, "/covers"))
  };

  private PermissionOverrides() {}

  static Overrides ofRequests() {
    return new Overrides()
        .collection("permission-requests")
        .columns("", REQUEST)
        .example("list", "--pending")
        .flag("list", "--pending", "Show only requests that wait for an answer.")
        .check(
            "list",
            (line, filters) -> {
              if (line.getParseResult().hasMatchedOption("--pending")) {
                filters.set("status", TextNode.valueOf("pending"));
              }
            })
        .without("get")
        .add("show", new ShowRequestCommand())
        .names("respond", "approve", "deny")
        .without("approved", "outcome", "answer", "deny grant", "deny until", "deny arguments")
        .option(
            "arguments",
            "--arguments-file",
            Syntax.OBJECT_FILE,
            "The file with a JSON object of arguments: the action is approved with them, instead of"
                + " those that the agent asked for. Only for a request that accepts it.")
        .command(
            "approve",
            "Approve a permission request, as the actor of the API key.\n"
                + "Without --grant, the agent may perform this action once.",
            "permission_01J9 --reason 'looks right'")
        .byDefault("approve", "approved", "true")
        .command(
            "deny",
            "Deny a permission request, as the actor of the API key.",
            "permission_01J9 --reason 'not on a Friday'")
        .byDefault("deny", "approved", "false")
        .help("--reason", "The reason, for the audit log.")
        .help("--reviewer", "The name of the reviewer, for the audit log.")
        .help("--option", "One of the options that the agent offered.")
        .help(
            "--content-hash",
            "The hash of the reviewed content; rejected if the request has another hash.")
        .help(
            "--until",
            "When the grant ends, such as 2026-12-24T17:00:00Z; at most its offered end, which is the"
                + " default.")
        .help(
            "--grant", "One of the offered grants, which allows later actions until it is revoked.")
        .command(
            "delegate",
            "Delegate a permission request to another actor.",
            "permission_01J9 --to bob")
        .help("--to", "The actor who is to answer.");
  }

  static Overrides ofGrants() {
    return new Overrides()
        .collection("permission-grants")
        .columns("", GRANT)
        .command(
            "list",
            "List standing grants, newest first, including ended ones.",
            "--session session_01J9")
        .command("revoke", "Revoke a standing grant: it allows no later actions.", "grant_01J9")
        .help("--reason", "The reason, for the audit log.");
  }

  private static String action(JsonNode request) {
    String title = text(request, "/action/title");
    return title.isEmpty() ? text(request, "/request/prompt") : title;
  }

  private static String state(JsonNode grant) {
    if (grant.path("revoked_at").isTextual()) {
      return "revoked " + text(grant, "/revoked_at");
    }
    return grant.path("until").isTextual() ? "until " + text(grant, "/until") : "active";
  }

  static String text(JsonNode resource, String pointer) {
    return resource.at(pointer).asText("");
  }
}

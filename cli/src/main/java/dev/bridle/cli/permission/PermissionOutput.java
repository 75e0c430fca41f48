package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.Listing;
import java.io.PrintWriter;

/** Prints permission requests and standing grants: lines of text, or the JSON as received. */
final class PermissionOutput {
  private final PrintWriter out;
  private final boolean json;

  PermissionOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** Prints a request in one line. */
  void line(JsonNode request) {
    print(request, "%s  %-8s  %s  %s  %s", requestCells(request));
  }

  /** Returns a list with the columns of requests. */
  Listing requests() {
    return new Listing(out, json, "ID", "STATUS", "EXPIRES AT", "TASK", "ACTION");
  }

  /** Adds a request as a row of a list. */
  void add(Listing list, JsonNode request) {
    add(list, request, "%s  %-8s  %s  %s  %s", requestCells(request));
  }

  private static String[] requestCells(JsonNode request) {
    return new String[] {
      text(request, "/id"),
      text(request, "/status"),
      text(request, "/request/expires_at"),
      text(request, "/task_id"),
      summary(request)
    };
  }

  /** Prints all details of a request that a reviewer needs. */
  void details(JsonNode request) {
    if (json) {
      print(request, "%s", "");
      return;
    }
    line(request);
    out.println(text(request, "/request/prompt"));
    out.println("content: " + request.at("/action/content"));
    out.println("content hash: " + text(request, "/request/content_hash"));
    for (JsonNode option : request.at("/request/options")) {
      out.println(
          "option "
              + text(option, "/id")
              + ": "
              + text(option, "/name")
              + " ("
              + text(option, "/kind")
              + ")");
    }
    for (JsonNode grant : request.at("/request/offered_grants")) {
      out.println("grant " + text(grant, "/id") + ": " + text(grant, "/covers"));
    }
    out.println(
        "approvers: "
            + request.at("/request/approvers_required")
            + " of "
            + (request.at("/request/approvers").isEmpty()
                ? "anyone who may answer"
                : request.at("/request/approvers")));
    String repeats = text(request, "/request/repeats/reason");
    if (!repeats.isEmpty()) {
      out.println("repeated: " + repeats);
    }
    for (JsonNode answer : request.at("/response/answers")) {
      out.println(
          (answer.path("approved").asBoolean() ? "approved by " : "denied by ")
              + text(answer, "/actor")
              + " at "
              + text(answer, "/answered_at")
              + "  "
              + text(answer, "/reason"));
    }
    out.flush();
  }

  /** Prints a grant in one line. */
  void grant(JsonNode grant) {
    print(grant, "%s  %-12s  %s  %s  %s", grantCells(grant));
  }

  /** Returns a list with the columns of grants. */
  Listing grants() {
    return new Listing(out, json, "ID", "SCOPE", "SESSION", "STATE", "COVERS");
  }

  /** Adds a grant as a row of a list. */
  void addGrant(Listing list, JsonNode grant) {
    add(list, grant, "%s  %-12s  %s  %s  %s", grantCells(grant));
  }

  private static String[] grantCells(JsonNode grant) {
    String end =
        grant.path("revoked_at").isTextual()
            ? "revoked " + text(grant, "/revoked_at")
            : grant.path("until").isTextual() ? "until " + text(grant, "/until") : "active";
    return new String[] {
      text(grant, "/id"),
      text(grant, "/scope"),
      text(grant, "/session_id"),
      end,
      text(grant, "/covers")
    };
  }

  private static String summary(JsonNode request) {
    String title = text(request, "/action/title");
    return title.isEmpty() ? text(request, "/request/prompt") : title;
  }

  private static String text(JsonNode resource, String pointer) {
    return resource.at(pointer).asText("");
  }

  private void add(Listing list, JsonNode resource, String format, String... cells) {
    list.add(line(resource, format, cells), cells);
  }

  private String line(JsonNode resource, String format, String... cells) {
    return json ? resource.toString() : String.format(format, (Object[]) cells);
  }

  private void print(JsonNode resource, String format, String... cells) {
    out.println(line(resource, format, cells));
    out.flush();
  }
}

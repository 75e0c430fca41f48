package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;

/** Prints permission requests and standing grants: readable lines, or the JSON as it came. */
final class PermissionOutput {
  private final PrintWriter out;
  private final boolean json;

  PermissionOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** Prints a request in one line. */
  void line(JsonNode request) {
    print(
        request,
        String.format(
            "%s  %-8s  %s  %s  %s",
            text(request, "/id"),
            text(request, "/status"),
            text(request, "/request/expires_at"),
            text(request, "/task_id"),
            summary(request)));
  }

  /** Prints all of a request that whoever answers it has to know. */
  void whole(JsonNode request) {
    if (json) {
      print(request, "");
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
                ? "anybody who may answer"
                : request.at("/request/approvers")));
    String repeats = text(request, "/request/repeats/reason");
    if (!repeats.isEmpty()) {
      out.println("asked again: " + repeats);
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
    String end =
        grant.path("revoked_at").isTextual()
            ? "revoked " + text(grant, "/revoked_at")
            : grant.path("until").isTextual() ? "until " + text(grant, "/until") : "active";
    print(
        grant,
        String.format(
            "%s  %-12s  %s  %s  %s",
            text(grant, "/id"),
            text(grant, "/scope"),
            text(grant, "/session_id"),
            end,
            text(grant, "/covers")));
  }

  private static String summary(JsonNode request) {
    String title = text(request, "/action/title");
    return title.isEmpty() ? text(request, "/request/prompt") : title;
  }

  private static String text(JsonNode resource, String pointer) {
    return resource.at(pointer).asText("");
  }

  private void print(JsonNode resource, String line) {
    out.println(json ? resource.toString() : line);
    out.flush();
  }
}

package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Puts an agent's question to the person at the terminal, and passes the answer on. The answer is
 * bound to the hash of what was shown.
 */
final class Approver implements Answering {
  /** What the person types, and which grant that chooses. */
  private static final Map<String, String> GRANTS =
      Map.of("s", "this_action", "t", "this_action_today", "w", "this_workspace");

  private final RestClient client;
  private final Terminal terminal;
  private final RunOutput output;
  private final boolean workspaceGrants;

  /**
   * Creates an approver.
   *
   * @param workspaceGrants whether grants that outlast the session may be made: not where the agent
   *     could make them itself
   */
  Approver(RestClient client, Terminal terminal, RunOutput output, boolean workspaceGrants) {
    this.client = client;
    this.terminal = terminal;
    this.output = output;
    this.workspaceGrants = workspaceGrants;
  }

  /**
   * Asks until there is an answer, or the request is not open any more.
   *
   * @return false at the end of the terminal's input
   */
  @Override
  public boolean ask(JsonNode request, BooleanSupplier open)
      throws IOException, InterruptedException {
    List<String> choices = choices(request);
    output.question(lines(request));
    terminal.flush();
    boolean details = false;
    while (open.getAsBoolean()) {
      output.prompt(
          "y once"
              + (choices.contains("s") ? ", s this session" : "")
              + (choices.contains("t") ? ", t for 8 hours" : "")
              + (choices.contains("w") ? ", w this workspace for 30 days" : "")
              + ", n no, d details > ");
      Optional<String> said = terminal.line(open);
      if (said.isEmpty()) {
        return !open.getAsBoolean();
      }
      String word = said.get();
      String first = word.isEmpty() ? "" : word.substring(0, 1);
      if (word.equals("d") && !details) {
        details = true;
        output.question(
            request.at("/action").toPrettyString().lines().map(ShownText::line).toList());
      } else if (word.equals("y")) {
        return respond(request, true, Optional.empty(), "");
      } else if (choices.contains(word)) {
        return respond(request, true, Optional.of(GRANTS.get(word)), "");
      } else if (first.equals("n") && (word.length() == 1 || word.charAt(1) == ' ')) {
        return respond(request, false, Optional.empty(), word.substring(1).strip());
      } else {
        output.note("type y, n with a reason (n use the other file), or one of the others");
      }
    }
    return true;
  }

  /** Denies without asking anybody. */
  void deny(JsonNode request) {
    var unused = respond(request, false, Optional.empty(), "");
  }

  private List<String> choices(JsonNode request) {
    List<String> offered = request.at("/request/offered_grants").findValuesAsText("id");
    return List.of("s", "t", "w").stream()
        .filter(word -> offered.contains(GRANTS.get(word)))
        .filter(word -> workspaceGrants || !word.equals("w"))
        .toList();
  }

  private boolean respond(
      JsonNode request, boolean approved, Optional<String> grant, String reason) {
    ObjectNode answer =
        JsonLines.object()
            .put("approved", approved)
            .put("content_hash", request.at("/request/content_hash").asText());
    grant.ifPresent(id -> answer.put("grant", id));
    if (!reason.isEmpty()) {
      answer.put("reason", reason);
    }
    String id = RestClient.escape(request.path("id").asText());
    try {
      var unused =
          client.post(
              "/v1/permission-requests/" + id + "/respond", answer, UUID.randomUUID().toString());
    } catch (CommandFailed e) {
      output.note("not answered: " + ShownText.line(String.valueOf(e.getMessage())));
    }
    return true;
  }

  /** Returns the exact action, and until when it can be answered. */
  static List<String> lines(JsonNode request) {
    List<String> lines = new ArrayList<>();
    lines.add(ShownText.line(request.at("/action/kind").asText()));
    request
        .at("/action/content")
        .properties()
        .forEach(
            member -> {
              String value =
                  member.getValue().isTextual()
                      ? member.getValue().textValue()
                      : member.getValue().toString();
              List<String> shown =
                  value.lines().map(line -> ShownText.line(line.replace("\t", "  "))).toList();
              lines.add("  " + ShownText.line(member.getKey()) + ": " + first(shown));
              shown.stream().skip(1).forEach(line -> lines.add("    " + line));
            });
    lines.add("until " + request.at("/request/expires_at").asText());
    return lines;
  }

  private static String first(List<String> lines) {
    return lines.isEmpty() ? "" : lines.get(0);
  }
}

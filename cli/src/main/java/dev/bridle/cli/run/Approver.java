package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.permission.OfferedOptions;
import dev.bridle.cli.permission.PermissionAnswer;
import dev.bridle.cli.permission.RequirementText;
import dev.bridle.cli.permission.ShownAction;
import dev.bridle.cli.permission.ShownOptions;
import dev.bridle.cli.rest.RestClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Puts an agent's question to the person at the terminal, and passes the answer on. The answer is
 * bound to the hash of what was shown.
 */
final class Approver implements Answering {
  /** What the person types, and which grant that chooses. */
  private static final Map<String, String> GRANTS =
      Map.of(
          "s", "this_action", "t", "this_action_today", "w", "this_workspace", "f", "edits_below");

  /** Those that outlast the session. */
  private static final Set<String> LASTING = Set.of("w", "f");

  private static final String MORE = "Enter next page, n no > ";

  private final QuestionRate rate = new QuestionRate();
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
    if (rate.isTooMany(System.nanoTime()) && !goesOn(open)) {
      return !open.getAsBoolean();
    }
    List<String> choices = choices(request);
    List<String> lines = new ArrayList<>(ShownAction.lines(request));
    if (choices.contains("f")) {
      lines.add(below(request));
    }
    if (request.at("/request/policy").isObject()) {
      lines.addAll(RequirementText.lines(request.at("/request/policy")));
    }
    QuestionPages pages = new QuestionPages(lines);
    output.question(pages.next());
    output.unsent(terminal.flush());
    while (open.getAsBoolean()) {
      output.prompt(pages.left() > 0 ? MORE : offer(request, choices));
      Optional<String> said = terminal.line(open);
      if (said.isEmpty()) {
        return !open.getAsBoolean();
      }
      if (answered(request, said.get(), choices, pages)) {
        return true;
      }
    }
    return true;
  }

  @Override
  public boolean fill(String task, JsonNode asked, BooleanSupplier open)
      throws InterruptedException {
    return new FormFiller(client, terminal, output).ask(task, asked, open);
  }

  /** Waits for a key after too many questions; returns false if nobody is there, or waits. */
  private boolean goesOn(BooleanSupplier open) throws InterruptedException {
    output.unsent(terminal.flush());
    output.note(
        "the agent asks more than "
            + QuestionRate.MOST
            + " questions a minute: take your time; Enter shows the next one");
    return terminal.line(open).isPresent();
  }

  private static String offer(JsonNode request, List<String> choices) {
    if (OfferedOptions.of(request).needChoice()) {
      return "the number of an option, n no, d details > ";
    }
    return "y once"
        + (choices.contains("s") ? ", s this session" : "")
        + (choices.contains("t") ? ", t for 8 hours" : "")
        + (choices.contains("w") ? ", w this workspace for 30 days" : "")
        + (choices.contains("f") ? ", f edits in that folder" : "")
        + ", n no, d details > ";
  }

  /** Does what was typed; returns whether it was an answer. */
  private boolean answered(
      JsonNode request, String word, List<String> choices, QuestionPages pages) {
    boolean denies = word.equals("n") || word.startsWith("n ");
    if (denies) {
      return respond(request, false, Optional.empty(), word.substring(1).strip());
    }
    Optional<JsonNode> option = ShownOptions.numbered(request, word);
    if (pages.left() > 0) {
      if (word.equals("y") || choices.contains(word) || option.isPresent()) {
        output.note(
            pages.left() + " more pages: read to the end first, then " + word + " is an answer");
      }
      output.question(pages.next());
    } else if (option.isPresent()) {
      return choose(request, option.get());
    } else if (word.equals("y") && OfferedOptions.of(request).needChoice()) {
      output.note("the agent offers several ways, or none, to allow it once: type a number");
    } else if (word.equals("y")) {
      return respond(request, true, Optional.empty(), "");
    } else if (choices.contains(word)) {
      return respond(request, true, Optional.of(GRANTS.get(word)), "");
    } else if (word.equals("d")) {
      output.question(request.at("/action").toPrettyString().lines().map(ShownText::line).toList());
    } else {
      output.note("type y, n with a reason (n use the other file), or one of the others");
    }
    return false;
  }

  /** Denies without asking anybody. */
  void deny(JsonNode request) {
    var unused = respond(request, false, Optional.empty(), "");
  }

  /** Declines a form without asking anybody. */
  void decline(String task, JsonNode asked) {
    new FormFiller(client, terminal, output).decline(task, asked);
  }

  private List<String> choices(JsonNode request) {
    List<String> offered = request.at("/request/offered_grants").findValuesAsText("id");
    return List.of("s", "t", "w", "f").stream()
        .filter(word -> offered.contains(GRANTS.get(word)))
        .filter(word -> workspaceGrants || !LASTING.contains(word))
        .toList();
  }

  /** Says what exactly the grant for a folder covers. */
  private static String below(JsonNode request) {
    for (JsonNode grant : request.at("/request/offered_grants")) {
      if (grant.path("id").asText().equals(GRANTS.get("f"))) {
        return "f covers edits in "
            + ShownText.line(grant.path("folder").asText())
            + " and the folders below it, until "
            + grant.path("until").asText();
      }
    }
    throw new IllegalStateException("the grant is not offered");
  }

  private boolean choose(JsonNode request, JsonNode option) {
    Optional<String> id = Optional.of(option.path("id").asText());
    return send(request, OfferedOptions.allows(option), id, Optional.empty(), "");
  }

  private boolean respond(
      JsonNode request, boolean approved, Optional<String> grant, String reason) {
    return send(request, approved, Optional.empty(), grant, reason);
  }

  private boolean send(
      JsonNode request,
      boolean approved,
      Optional<String> option,
      Optional<String> grant,
      String reason) {
    try {
      var unused =
          new PermissionAnswer(
                  request.path("id").asText(),
                  request.at("/request/content_hash").asText(),
                  approved,
                  option,
                  grant,
                  reason)
              .send(client);
    } catch (CommandFailed e) {
      output.note("not answered: " + ShownText.line(String.valueOf(e.getMessage())));
    }
    return true;
  }
}

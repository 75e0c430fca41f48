package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.rest.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Has a person fill in an agent's form, field by field. */
final class FormFiller {
  private final RestClient client;
  private final Terminal terminal;
  private final RunOutput output;

  FormFiller(RestClient client, Terminal terminal, RunOutput output) {
    this.client = client;
    this.terminal = terminal;
    this.output = output;
  }

  /**
   * Asks until the form is filled in or declined, or nobody waits for it any more.
   *
   * @param asked the payload of the event that asks
   * @return false at the end of the terminal's input
   */
  boolean ask(String task, JsonNode asked, BooleanSupplier open) throws InterruptedException {
    List<FormField> fields = FormField.of(asked.path("schema"));
    output.question(lines(asked));
    output.unsent(terminal.flush());
    ObjectNode filled = JsonLines.object();
    Optional<String> word = next("y fill in, n decline > ", open);
    while (word.isPresent() && !word.get().equals("y") && !word.get().equals("n")) {
      word = next("y fill in, n decline > ", open);
    }
    if (word.isPresent() && word.get().equals("n")) {
      decline(task, asked);
      return true;
    }
    for (FormField field : word.isPresent() ? fields : List.<FormField>of()) {
      word = fill(field, filled, open);
      if (word.isEmpty()) {
        break;
      }
    }
    if (word.isPresent()) {
      ObjectNode part = JsonLines.object().put("type", "json").put("visibility", "public");
      answer(task, asked, part.set("value", filled));
    } else if (!open.getAsBoolean()) {
      output.note("the form is not asked for any more");
    }
    return word.isPresent() || !open.getAsBoolean();
  }

  /** Returns what a form is about, and its fields, each line safe to print. */
  static List<String> lines(JsonNode asked) {
    List<String> lines = new ArrayList<>(shown(asked.path("prompt").asText()));
    FormField.of(asked.path("schema"))
        .forEach(field -> lines.add("  " + ShownText.line(field.name())));
    return lines;
  }

  private Optional<String> fill(FormField field, ObjectNode filled, BooleanSupplier open)
      throws InterruptedException {
    output.question(
        shown(
            field.name()
                + "\n"
                + field.schema().path("title").asText("")
                + "\n"
                + field.schema().path("description").asText("")
                + "\n"
                + field.expected()));
    while (true) {
      Optional<String> typed = next("value > ", open);
      if (typed.isEmpty() || (typed.get().isEmpty() && !field.required())) {
        return typed;
      }
      Optional<JsonNode> value = field.parse(typed.get());
      if (value.isPresent()) {
        filled.set(field.name(), value.get());
        return typed;
      }
      output.note("this does not fit");
    }
  }

  private Optional<String> next(String prompt, BooleanSupplier open) throws InterruptedException {
    output.prompt(prompt);
    return terminal.line(open);
  }

  private static List<String> shown(String text) {
    return text.lines()
        .filter(line -> !line.isBlank())
        .map(line -> ShownText.line(line.replace("\t", "  ")))
        .toList();
  }

  /** Declines without asking anybody. */
  void decline(String task, JsonNode asked) {
    answer(
        task,
        asked,
        JsonLines.object().put("type", "text").put("text", "declined").put("visibility", "public"));
  }

  private void answer(String task, JsonNode asked, JsonNode part) {
    ObjectNode body =
        JsonLines.object().put("kind", "input").put("step_key", asked.path("step_key").asText());
    body.putObject("message").put("role", "user").putArray("parts").add(part);
    try {
      var unused =
          client.post(
              "/v1/tasks/" + RestClient.escape(task) + "/messages",
              body,
              UUID.randomUUID().toString());
    } catch (CommandFailed e) {
      output.note("not answered: " + ShownText.line(String.valueOf(e.getMessage())));
    }
  }
}

package dev.bridle.cli.permission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.ShellWord;
import dev.bridle.cli.console.ShownText;
import java.util.List;

/** The options of the command that approves a request: one set for each choice there is. */
public final class ApproveOptions {
  private ApproveOptions() {}

  /** Returns the texts that follow the request's id, each with a leading blank or empty. */
  public static List<String> of(JsonNode request) {
    List<String> choices = OfferedOptions.of(request).choices();
    return choices.isEmpty()
        ? List.of("")
        : choices.stream().map(id -> " --option " + ShellWord.quoted(ShownText.line(id))).toList();
  }
}

package dev.bridle.cli.harp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The option of an agent that a decision about a Bridle server's artifact is signed for. */
final class ChosenOption {
  private static final String ONCE = "allow_once";

  private ChosenOption() {}

  /**
   * Checks the option before a person confirms the decision.
   *
   * @throws CommandFailed if the artifact shows none of that id which decides so, or an approval
   *     has to name one
   */
  static void need(Artifact artifact, Optional<String> option, Answer answer) {
    JsonNode shown = artifact.payload().path("options");
    if (option.isPresent()) {
      if (of(shown, answer).stream().noneMatch(option.get()::equals)) {
        throw usage(
            "The artifact shows no option '"
                + ShownText.line(option.get())
                + "' that means to "
                + answer.alias()
                + ".");
      }
    } else if (answer == Answer.ALLOW && !shown.isEmpty() && once(shown) != 1) {
      throw usage(
          "The agent offers several ways, or none, to allow it once: choose one with --option, of "
              + ShownText.line(String.join(", ", of(shown, answer)))
              + ".");
    }
  }

  private static long once(JsonNode shown) {
    List<String> kinds = new ArrayList<>();
    shown.forEach(option -> kinds.add(option.path("kind").asText()));
    return kinds.stream().filter(ONCE::equals).count();
  }

  private static List<String> of(JsonNode shown, Answer answer) {
    String kinds = answer == Answer.ALLOW ? "allow_" : "reject_";
    List<String> ids = new ArrayList<>();
    shown.forEach(
        option -> {
          if (option.path("kind").asText().startsWith(kinds)) {
            ids.add(option.path("id").asText());
          }
        });
    return ids;
  }

  private static CommandFailed usage(String message) {
    return new CommandFailed(ExitCodes.USAGE, message);
  }
}

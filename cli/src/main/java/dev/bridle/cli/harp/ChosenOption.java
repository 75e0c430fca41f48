package dev.bridle.cli.harp;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.ShownText;
import dev.bridle.cli.permission.OfferedOptions;
import dev.bridle.harp.core.Answer;
import dev.bridle.harp.core.Artifact;
import java.util.List;
import java.util.Optional;

/** The option of an agent that a decision about a Bridle server's artifact is signed for. */
final class ChosenOption {
  private ChosenOption() {}

  /**
   * Checks the option before a person confirms the decision.
   *
   * @throws CommandFailed if the artifact shows none of that id which a decision for the answer may
   *     name, or an approval has to name one
   */
  static void need(Artifact artifact, Optional<String> option, Answer answer) {
    OfferedOptions shown = OfferedOptions.listed(artifact.payload().path("options"));
    if (option.isPresent()) {
      List<String> named = answer == Answer.ALLOW ? shown.approving() : shown.denying();
      if (!named.contains(option.get())) {
        throw usage(
            "The artifact shows no option '"
                + ShownText.line(option.get())
                + "' that can be named to "
                + answer.alias()
                + (named.isEmpty() ? "." : ": it shows " + listed(named)));
      }
    } else if (answer == Answer.ALLOW && shown.needChoice()) {
      throw usage(
          shown.choices().isEmpty()
              ? "The agent offers no option that allows it."
              : "The agent offers several ways, or none, to allow it once: choose one with"
                  + " --option, of "
                  + listed(shown.choices()));
    }
  }

  /** Returns the option that a pressed button stands for; empty if it stands for none. */
  static Optional<String> of(Artifact artifact, Optional<String> button) {
    OfferedOptions shown = OfferedOptions.listed(artifact.payload().path("options"));
    return button.filter(
        id -> shown.all().stream().anyMatch(option -> option.path("id").asText().equals(id)));
  }

  private static String listed(List<String> ids) {
    return ShownText.line(String.join(", ", ids)) + ".";
  }

  private static CommandFailed usage(String message) {
    return new CommandFailed(ExitCodes.USAGE, message);
  }
}

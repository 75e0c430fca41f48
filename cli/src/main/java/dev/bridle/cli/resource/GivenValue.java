package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * A secret's value as it is given: from a file or from stdin, never as an argument, which other
 * users of the machine could see.
 */
final class GivenValue {
  @Option(
      names = "--value-file",
      paramLabel = "FILE",
      description = {
        "The file with the value (default: stdin).",
        "One line end at its end is left out."
      })
  private Optional<Path> file = Optional.empty();

  /** Reads the value into the body of a request. */
  ObjectNode body() {
    String text = GivenText.of(file, "value");
    return JsonLines.object().put("value", text.replaceFirst("\\r?\\n\\z", ""));
  }
}

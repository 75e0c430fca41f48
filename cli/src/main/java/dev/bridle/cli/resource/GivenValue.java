package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Reads the value of a secret from a file or from stdin; never from an argument, which other users
 * of the machine could see.
 */
final class GivenValue {
  @Option(
      names = "--value-file",
      paramLabel = "FILE",
      description = {
        "The file with the value (default: stdin).",
        "One trailing line break is removed."
      })
  private Optional<Path> file = Optional.empty();

  /** Returns a request body with the value. */
  ObjectNode body() {
    String text = GivenText.of(file, "value");
    return JsonLines.object().put("value", text.replaceFirst("\\r?\\n\\z", ""));
  }
}

package dev.bridle.cli.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options for the input of a task: a message with text and a file, or a JSON object. */
final class GivenTask {

  @Option(names = "--text", paramLabel = "TEXT", description = "Text for the agent.")
  private Optional<String> text = Optional.empty();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "A file for the agent, which is uploaded as an artifact.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--json-input",
      paramLabel = "JSON",
      description = "A JSON object as the input, instead of a message.")
  private Optional<String> jsonInput = Optional.empty();

  void check(CommandLine line) {
    boolean message = text.isPresent() || file.isPresent();
    if (message == jsonInput.isPresent()) {
      throw new CommandLine.ParameterException(
          line, "Expected --text, --file or both, or only --json-input.");
    }
  }

  /** Returns the request body of the submission. Uploads the file to the session first. */
  JsonNode body(Sessions sessions, String session) {
    ObjectNode body = JsonLines.object();
    body.set("input", jsonInput.isPresent() ? parsed(jsonInput.get()) : message(sessions, session));
    return body;
  }

  private static JsonNode parsed(String input) {
    return JsonLines.parse(input)
        .filter(JsonNode::isObject)
        .orElseThrow(
            () ->
                new CommandFailed(
                    ExitCodes.USAGE, "--json-input is '" + input + "', expected a JSON object"));
  }

  private JsonNode message(Sessions sessions, String session) {
    ObjectNode message = JsonLines.object().put("role", "user");
    ArrayNode parts = message.putArray("parts");
    text.ifPresent(
        words ->
            parts.addObject().put("type", "text").put("text", words).put("visibility", "public"));
    file.ifPresent(
        path ->
            parts
                .addObject()
                .put("type", "artifact_ref")
                .put("artifact_id", sessions.upload(session, content(path)))
                .put("visibility", "public"));
    return message;
  }

  private static byte[] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.USAGE, "--file " + file + " can't be read: " + e.getMessage(), e);
    }
  }
}

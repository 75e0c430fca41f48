package dev.bridle.cli.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.JsonLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * A secret's value as it is given: from a file or from stdin, never as an argument, which other
 * users of the machine could see.
 */
final class GivenValue {
  /** More than a secret can have, so that the server says what is too long. */
  private static final int MOST_READ = 1 << 20;

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
    try (InputStream in = file.isPresent() ? Files.newInputStream(file.get()) : System.in) {
      byte[] bytes = in.readNBytes(MOST_READ);
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return JsonLines.object().put("value", text.replaceFirst("\\r?\\n\\z", ""));
    } catch (CharacterCodingException e) {
      throw new CommandFailed(ExitCodes.USAGE, "The value is no UTF-8 text; give it as base64.");
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The value can't be read from " + file.map(Path::toString).orElse("stdin") + ".");
    }
  }
}

package dev.bridle.cli.resource;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a text from a file or from stdin. */
final class GivenText {
  /** Larger than any server accepts, so that the server reports a text that is too long. */
  private static final int MAX_BYTES = 2 << 20;

  private GivenText() {}

  /**
   * Reads the text.
   *
   * @param what the name of the text in error messages
   */
  static String of(Optional<Path> file, String what) {
    try (InputStream in = file.isPresent() ? Files.newInputStream(file.get()) : System.in) {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(in.readNBytes(MAX_BYTES)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The " + what + " is not UTF-8 text. Encode binary values as base64.");
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The " + what + " can't be read from " + file.map(Path::toString).orElse("stdin") + ".");
    }
  }
}

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

/** Text that is given in a file or on stdin. */
final class GivenText {
  /** More than any server takes, so that it is the server that says what is too long. */
  private static final int MOST_READ = 2 << 20;

  private GivenText() {}

  /**
   * Reads it.
   *
   * @param what what it is, for messages
   */
  static String of(Optional<Path> file, String what) {
    try (InputStream in = file.isPresent() ? Files.newInputStream(file.get()) : System.in) {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(in.readNBytes(MOST_READ)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new CommandFailed(
          ExitCodes.USAGE, "The " + what + " is no UTF-8 text; base64 would be.");
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED,
          "The " + what + " can't be read from " + file.map(Path::toString).orElse("stdin") + ".");
    }
  }
}

package dev.bridle.cli.qr;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.cli.console.SecretFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The image of a QR code with a secret, if one is asked for. It is removed at the end of the
 * command, also by Ctrl-C, since nobody needs the secret any more.
 */
public final class QrImage implements AutoCloseable {
  private final Optional<Path> file;
  private final PrintWriter err;

  private QrImage(Optional<Path> file, PrintWriter err) {
    this.file = file;
    this.err = err;
  }

  /**
   * Prepares an image, and writes none yet.
   *
   * @param file a new file; empty: no image is asked for
   * @param err receives that it can't be removed
   */
  public static QrImage at(Optional<Path> file, PrintWriter err) {
    SecretFile.requireAbsent(file);
    QrImage image = new QrImage(file, err);
    if (file.isPresent()) {
      Runtime.getRuntime().addShutdownHook(new Thread(image::close, "bridle-qr-image"));
    }
    return image;
  }

  /** Writes the image of a code; fails if that can't be done. */
  public void write(QrCode code) {
    file.ifPresent(to -> write(to, code.png()));
  }

  private static void write(Path to, byte[] content) {
    try {
      PrivateFile.write(to.toAbsolutePath(), content);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The file " + to + " can't be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    if (file.isPresent()) {
      try {
        Files.deleteIfExists(file.get());
      } catch (IOException e) {
        err.println("Remove " + file.get() + ": " + e.getMessage());
      }
    }
  }
}

package dev.bridle.cli.admin;

import dev.bridle.cli.console.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The operator's credential: a random secret in a file of the data directory, readable by its owner
 * only. Who can read it may use the admin service.
 */
public final class OperatorKey {
  private static final String FILE = "operator.key";
  private static final int BYTES = 32;

  private OperatorKey() {}

  /** Returns the directory's secret; made where there is none. */
  public static String of(Path dataDir) throws IOException {
    Path file = dataDir.resolve(FILE);
    if (!Files.exists(file)) {
      byte[] random = new byte[BYTES];
      new SecureRandom().nextBytes(random);
      PrivateFile.write(
          file,
          "bridle_operator_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }
    return PrivateFile.read(file);
  }
}

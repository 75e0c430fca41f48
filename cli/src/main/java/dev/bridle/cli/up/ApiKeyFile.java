package dev.bridle.cli.up;

import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.cli.console.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that `--api-key-file` names: left alone where it is there, else written with a key. */
final class ApiKeyFile {
  private final Path file;

  ApiKeyFile(Path file) {
    this.file = file;
  }

  boolean present() {
    return Files.exists(file);
  }

  Path path() {
    return file;
  }

  /** Writes the first start's key, or a new one of the owner's. */
  void write(LocalServer server, Path dataDir) throws IOException {
    String secret =
        server.firstKey().isPresent() ? server.firstKey().get() : create(server, dataDir);
    PrivateFile.write(file.toAbsolutePath(), secret + "\n");
  }

  private static String create(LocalServer server, Path dataDir) throws IOException {
    return AdminAccess.stub(server.channel(), dataDir)
        .createApiKey(CreateApiKeyRequest.getDefaultInstance())
        .getSecret();
  }
}

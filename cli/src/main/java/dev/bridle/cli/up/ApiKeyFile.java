package dev.bridle.cli.up;

import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.cli.admin.OperatorKey;
import dev.bridle.cli.console.CommandFailed;
import dev.bridle.cli.console.ExitCodes;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.cli.console.Timeouts;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The file that `--api-key-file` names. An existing file is kept; a missing one is created with a
 * key.
 */
final class ApiKeyFile {
  private final Path file;

  ApiKeyFile(Path file) {
    this.file = file;
  }

  boolean exists() {
    return Files.exists(file);
  }

  Path path() {
    return file;
  }

  /**
   * Fails if the file's key is unknown to the data: clients that read the file would be rejected.
   */
  void requireKnown(Channel core) {
    try {
      var unused =
          AuthServiceGrpc.newBlockingStub(OperatorKey.withBearer(core, read()))
              .withDeadlineAfter(Timeouts.OPERATOR_CALL.toSeconds(), TimeUnit.SECONDS)
              .getCaller(GetCallerRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      throw e.getStatus().getCode() == Status.Code.UNAUTHENTICATED ? unknown() : e;
    }
  }

  /** Returns the failure of a start whose key file belongs to other data. */
  CommandFailed unknown() {
    return new CommandFailed(
        ExitCodes.FAILED,
        "The API key file "
            + file
            + " contains no valid API key of this data: it belongs to other data or is revoked."
            + " Delete the file to"
            + " create a new key, name another with --api-key-file, or start without it and"
            + " create a key with 'bridle apikey create'.");
  }

  private String read() {
    try {
      return PrivateFile.read(file);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The API key file " + file + " can't be read: " + e, e);
    }
  }

  /** Writes the key of the first start, or a new key for the owner. */
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

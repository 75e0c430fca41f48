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

  /**
   * Fails where the data does not know the key that the file holds: clients that read it would be
   * refused one by one.
   */
  void needKnown(Channel core) {
    try {
      var unused =
          AuthServiceGrpc.newBlockingStub(OperatorKey.withBearer(core, read()))
              .withDeadlineAfter(Timeouts.OPERATOR_CALL.toSeconds(), TimeUnit.SECONDS)
              .getCaller(GetCallerRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      throw e.getStatus().getCode() == Status.Code.UNAUTHENTICATED ? unknown() : e;
    }
  }

  /** Returns the failure of a start on data that the file's key is not of. */
  CommandFailed unknown() {
    return new CommandFailed(
        ExitCodes.FAILED,
        "The API key file "
            + file
            + " holds no API key of this data: it is of other data, or revoked. Delete the file to"
            + " have a new key made, name another with --api-key-file, or start without it and"
            + " make a key with 'bridle apikey create'.");
  }

  private String read() {
    try {
      return PrivateFile.read(file);
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCodes.FAILED, "The API key file " + file + " can't be read: " + e, e);
    }
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

package dev.bridle.core.operations.backup;

import dev.bridle.admin.v1.BackupServiceGrpc;
import dev.bridle.admin.v1.CreateBackupRequest;
import dev.bridle.admin.v1.CreateBackupResponse;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.storage.BackedUpStore;
import dev.bridle.storage.BackupFailedException;
import dev.bridle.storage.KeyValueStore;
import dev.bridle.storage.StoredBackup;
import io.grpc.stub.StreamObserver;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Creates backups of the store, for operators. */
public final class BackupService extends BackupServiceGrpc.BackupServiceImplBase {
  private final KeyValueStore store;

  public BackupService(KeyValueStore store) {
    this.store = store;
  }

  @Override
  public void createBackup(
      CreateBackupRequest request, StreamObserver<CreateBackupResponse> response) {
    if (!(store instanceof BackedUpStore source)) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT,
          "This server stores on a FoundationDB cluster, which is backed up with FoundationDB's own"
              + " tools: 'fdbbackup start' makes a backup, 'fdbrestore start' puts it back.");
    }
    try {
      StoredBackup made = source.backUp(folder(request.getDirectory()), request.getKeep());
      Replies.send(
          response,
          CreateBackupResponse.newBuilder()
              .setBackup(made.number())
              .setBytes(made.bytes())
              .setFiles(made.files())
              .setVersion(made.version())
              .build());
    } catch (BackupFailedException e) {
      throw ProtocolException.of(ErrorCode.ERROR_CODE_CONFLICT, e.getMessage());
    }
  }

  private static Path folder(String directory) {
    try {
      Path folder = Path.of(directory);
      if (folder.isAbsolute()) {
        return folder;
      }
    } catch (InvalidPathException e) {
      throw ProtocolException.invalid("directory", "is no path: " + e.getReason());
    }
    throw ProtocolException.invalid("directory", "must be an absolute path on the server");
  }
}

package dev.bridle.core.work.workspace;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.KeyLayout;
import java.util.Optional;

/**
 * Selects the storage of a workspace's files by its root: the store, or a folder of the server's
 * machine if the operator has enabled that.
 */
public final class FilesByRoot {
  private final WorkspaceFiles stored;
  private final Optional<WorkspaceFiles> folders;

  /**
   * Creates the selection.
   *
   * @param root the directory of workspace folders, if enabled
   */
  public FilesByRoot(KeyLayout layout, Optional<WorkspaceRoot> root) {
    this.stored = new StoredFiles(layout, new BlobStore(layout));
    this.folders = root.map(FolderFiles::new);
  }

  /**
   * Returns the storage of a root's files; {@code policy_violation} for a folder on a server
   * without workspace folders, and for one that only its agent reads and writes; {@code
   * invalid_request} for an invalid folder name.
   */
  public WorkspaceFiles of(String root) {
    if (MachineFolder.isRoot(root)) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          "This workspace is a folder of the machine that its agent works on; this server does not"
              + " serve its files. Read them there.");
    }
    if (!FolderName.isFolder(root)) {
      return stored;
    }
    WorkspaceFiles inFolders =
        folders.orElseThrow(
            () ->
                ProtocolException.of(
                        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
                        "This server has no workspace folders; the operator must start it with"
                            + " --workspace-root DIR.")
                    .blaming("root"));
    var unused = FolderName.of(root);
    return inFolders;
  }
}

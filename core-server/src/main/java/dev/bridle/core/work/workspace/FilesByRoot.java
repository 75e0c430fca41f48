package dev.bridle.core.work.workspace;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.storage.layer.BlobStore;
import dev.bridle.storage.layer.KeyLayout;
import java.util.Optional;

/**
 * Says by a workspace's root where its files lie: in the store, or in a folder of the machine where
 * the operator has let workspaces have some.
 */
public final class FilesByRoot {
  private final WorkspaceFiles stored;
  private final Optional<WorkspaceFiles> folders;

  /**
   * Keeps files of both kinds.
   *
   * @param root where folders of workspaces lie, on a server that has some
   */
  public FilesByRoot(KeyLayout layout, Optional<WorkspaceRoot> root) {
    this.stored = new StoredFiles(layout, new BlobStore(layout));
    this.folders = root.map(FolderFiles::new);
  }

  /**
   * Returns where the files of a root lie; {@code policy_violation} for a folder on a server that
   * has none, {@code invalid_request} for one that is wrongly named.
   */
  public WorkspaceFiles of(String root) {
    if (!FolderName.meantBy(root)) {
      return stored;
    }
    WorkspaceFiles inFolders =
        folders.orElseThrow(
            () ->
                ProtocolException.of(
                        ErrorCode.ERROR_CODE_POLICY_VIOLATION,
                        "This server has no folders for workspaces; its operator has to start it"
                            + " with --workspace-root DIR.")
                    .blaming("root"));
    var unused = FolderName.of(root);
    return inFolders;
  }
}

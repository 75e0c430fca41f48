package dev.bridle.core.operations.portability;

import dev.bridle.core.work.workspace.StoredFiles;
import dev.bridle.record.v1.WorkspaceFileRecord;
import dev.bridle.record.v1.WorkspaceTreeRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.BlobStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Exports the files of a workspace, each consistent in itself. The totals are those of the exported
 * files.
 */
final class WorkspaceTree {
  private static final int NAMES_AT_ONCE = 64;

  private final TransferStores stores;
  private final String tenant;
  private final ExportRun run;
  private final String workspace;
  private final WorkspaceTreeRecord.Builder tree;

  WorkspaceTree(TransferStores stores, String tenant, ExportRun run, String workspace) {
    this.stores = stores;
    this.tenant = tenant;
    this.run = run;
    this.workspace = workspace;
    this.tree = WorkspaceTreeRecord.newBuilder().setWorkspaceId(workspace);
  }

  void all() {
    from(StoredFiles.id(workspace, ""));
  }

  private void from(String id) {
    String prefix = StoredFiles.id(workspace, "");
    List<String> ids =
        stores
            .store()
            .read(tr -> stores.files().withPrefix(tr, tenant, prefix, id, NAMES_AT_ONCE))
            .stream()
            .map(file -> StoredFiles.id(workspace, file.getPath()))
            .toList();
    List<Runnable> next = new ArrayList<>();
    ids.forEach(file -> next.add(() -> file(file)));
    if (ids.size() == NAMES_AT_ONCE) {
      String last = ids.get(ids.size() - 1);
      next.add(() -> from(last + '\u0001'));
    } else {
      next.add(this::end);
    }
    run.first(next);
  }

  private void file(String id) {
    Optional<Taken> taken = stores.store().read(tr -> taken(tr, id));
    if (taken.isEmpty()) {
      return;
    }
    WorkspaceFileRecord file = taken.get().file();
    List<byte[]> chunks = taken.get().chunks();
    for (int i = 0; i < chunks.size(); i++) {
      run.chunk(file.getBlobId(), i, chunks.get(i));
    }
    run.unlisted(StoredFiles.WORKSPACE_FILE, id, file.toByteArray());
    tree.setFiles(tree.getFiles() + 1).setBytes(tree.getBytes() + file.getSize());
  }

  private record Taken(WorkspaceFileRecord file, List<byte[]> chunks) {}

  private Optional<Taken> taken(ReadTransaction tr, String id) {
    return stores
        .files()
        .get(tr, tenant, id)
        .map(
            file ->
                new Taken(
                    file,
                    stores
                        .blobs()
                        .read(tr, tenant, file.getBlobId(), 0, BlobStore.CHUNKS_AT_ONCE)));
  }

  private void end() {
    if (tree.getFiles() > 0) {
      run.unlisted(StoredFiles.WORKSPACE_TREE, workspace, tree.build().toByteArray());
    }
  }
}

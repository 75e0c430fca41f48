package dev.bridle.core.operations.check.resource;

import dev.bridle.core.operations.check.finding.Fault;
import dev.bridle.core.operations.check.finding.FaultKind;
import dev.bridle.core.operations.check.rule.Check;
import dev.bridle.core.operations.check.rule.CheckScope;
import dev.bridle.core.operations.check.rule.RowCheck;
import dev.bridle.core.work.workspace.StoredFiles;
import dev.bridle.record.v1.WorkspaceFileRecord;
import dev.bridle.record.v1.WorkspaceTreeRecord;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.RecordStore;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that a workspace's counts of files and bytes match its files, and that no file has the
 * name of a directory.
 */
public final class WorkspaceTreesCheck implements Check {
  private static final int AT_ONCE = 5000;

  @Override
  public void run(CheckScope scope) {
    scope.walk().step("workspace trees of " + scope.tenant());
    RecordStore<WorkspaceFileRecord> files = StoredFiles.WORKSPACE_FILE.store(scope.layout());
    RowCheck.eachRecord(
        scope,
        StoredFiles.WORKSPACE_TREE,
        (tr, id, tree) ->
            wrong(tr, scope.tenant(), files, tree)
                .map(wrong -> Fault.of(FaultKind.WORKSPACE_TREE_WRONG, scope.tenant(), id, wrong)));
  }

  private static Optional<String> wrong(
      ReadTransaction tr,
      String tenant,
      RecordStore<WorkspaceFileRecord> files,
      WorkspaceTreeRecord tree) {
    String prefix = StoredFiles.id(tree.getWorkspaceId(), "");
    List<WorkspaceFileRecord> all = files.withPrefix(tr, tenant, prefix, prefix, AT_ONCE);
    long bytes = all.stream().mapToLong(WorkspaceFileRecord::getSize).sum();
    if (all.size() != tree.getFiles() || bytes != tree.getBytes()) {
      return Optional.of("The workspace's counts do not match its files and bytes.");
    }
    Set<String> directories = new HashSet<>();
    for (WorkspaceFileRecord file : all) {
      String path = file.getPath();
      for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
        directories.add(path.substring(0, at));
      }
    }
    return all.stream().map(WorkspaceFileRecord::getPath).anyMatch(directories::contains)
        ? Optional.of("A file of the workspace has the name of a directory.")
        : Optional.empty();
  }
}
